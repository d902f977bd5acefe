const MAX_HOST = 253;

/** Host of the page that the visitor came from, without `www.`; '' for none and for what is no web address. */
export function referrerHost(referrer: string): string {
  if (!/^(https?|android-app):\/\//i.test(referrer) || !URL.canParse(referrer)) return '';
  return new URL(referrer).hostname
    .toLowerCase()
    .replace(/^www\.(?=.*\.)/, '')
    .replace(/\.$/, '')
    .slice(0, MAX_HOST);
}

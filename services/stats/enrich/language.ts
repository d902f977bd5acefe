/** A language with its region, in the case of BCP 47 (`zh-CN`); scripts and variants are cut off. '' when it is none. */
export function languageOf(tag: string): string {
  const match = /^([a-z]{2,3})(?:[-_][a-z]{4})?(?:[-_]([a-z]{2}|\d{3}))?(?:[-_;,].*)?$/i.exec(tag.trim());
  if (!match?.[1]) return '';
  const [, language, region] = match;
  return region ? `${language.toLowerCase()}-${region.toUpperCase()}` : language.toLowerCase();
}

/**
 * Pages of well-known hosts that send a visitor on to any address given in their own URL: a link through one hides where
 * it ends. They are flagged, never refused (S-10).
 */

interface Redirector {
  /** Tested against the lower-case host without its trailing dot. */
  host: RegExp;
  /** Tested against the path; absent means any path. */
  path?: RegExp;
  /** Query names that carry the destination; absent means that the query or the path itself is the destination. */
  params?: readonly string[];
}

const GOOGLE = /(?:^|\.)google\.(?:[a-z]{2,3}|com?\.[a-z]{2})$/;

const REDIRECTORS: readonly Redirector[] = [
  { host: GOOGLE, path: /^\/url$/, params: ['q', 'url'] },
  { host: GOOGLE, path: /^\/(?:imgres|local_url|travel\/clk|aclk)/, params: ['imgrefurl', 'q', 'pc', 'adurl'] },
  { host: GOOGLE, path: /^\/amp\/(?:s\/)?./ },
  { host: /(?:^|\.)(?:doubleclick\.net|googleadservices\.com|googlesyndication\.com)$/ },
  { host: /^translate\.google\.[a-z.]+$/, params: ['u'] },
  { host: /(?:^|\.)youtube\.com$/, path: /^\/redirect$/, params: ['q'] },
  { host: /(?:^|\.)facebook\.com$/, path: /^\/(?:l\.php|flx\/warn\/?)$/, params: ['u'] },
  { host: /^l\.(?:instagram|messenger|threads)\.(?:com|net)$/, params: ['u'] },
  { host: /^l\.wl\.co$/, params: ['u'] },
  { host: /(?:^|\.)linkedin\.com$/, path: /^\/(?:redir\/|safety\/go)/, params: ['url'] },
  { host: /^out\.reddit\.com$/, params: ['url'] },
  { host: /^t\.umblr\.com$/, path: /^\/redirect$/, params: ['z'] },
  { host: /(?:^|\.)vk\.(?:com|ru)$/, path: /^\/away(?:\.php)?$/, params: ['to'] },
  { host: /^slack-redir\.net$/, path: /^\/link$/, params: ['url'] },
  { host: /^steamcommunity\.com$/, path: /^\/linkfilter\/?$/, params: ['url', 'u'] },
  { host: /(?:^|\.)bing\.com$/, path: /^\/(?:ck\/a|aclick|aclk)$/, params: ['u', 'r'] },
  { host: /(?:^|\.)duckduckgo\.com$/, path: /^\/(?:l\/?|y\.js)$/, params: ['uddg', 'u3'] },
  { host: /^r\.search\.yahoo\.com$/, path: /\/RU=/ },
  { host: /(?:^|\.)baidu\.com$/, path: /^\/(?:link|baidu\.php)$/, params: ['url'] },
  { host: /(?:^|\.)yandex\.[a-z.]+$/, path: /^\/(?:clck\/|redir)/ },
  { host: /^(?:link\.zhihu|link\.juejin|link\.csdn)\.(?:com|cn|net)$/, params: ['target'] },
  { host: /^c\.pc\.qq\.com$/, params: ['pfurl', 'url'] },
  { host: /(?:^|\.)safelinks\.protection\.outlook\.com$/, params: ['url'] },
  { host: /^urldefense(?:\.proofpoint)?\.com$/, path: /^\/v\d\// },
  { host: /^(?:exit\.sc|gate\.sc)$/, params: ['url'] },
  { host: /^(?:go\.skimresources\.com|redirect\.viglink\.com)$/, params: ['url', 'u'] },
  { host: /^click\.linksynergy\.com$/, path: /^\/(?:deeplink|fs-bin\/click)/, params: ['murl', 'RD_PARM1'] },
  { host: /^(?:www\.)?awin1\.com$/, path: /^\/cread\.php$/, params: ['ued', 'p'] },
  { host: /^(?:www\.)?shareasale\.com$/, params: ['urllink'] },
  { host: /^(?:www\.)?(?:anonym\.to|href\.li|nullrefer\.com|dereferer\.me|hidereferrer\.com|blankrefer\.com)$/ },
];

/** Whether a URL is a well-known page that redirects to an address named in the URL itself. */
export function isOpenRedirector(url: URL): boolean {
  const host = url.hostname.replace(/\.$/, '');
  return REDIRECTORS.some((entry) => {
    if (!entry.host.test(host) || (entry.path && !entry.path.test(url.pathname))) return false;
    if (entry.params) return entry.params.some((name) => url.searchParams.get(name));
    return url.pathname.length > 1 || url.search.length > 1;
  });
}

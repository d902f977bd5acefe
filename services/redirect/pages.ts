export type Language = 'en' | 'zh';
export type PageName =
  | 'bad-request'
  | 'not-found'
  | 'method-not-allowed'
  | 'gone'
  | 'blocked'
  | 'unknown-host'
  | 'unavailable';

interface Words {
  title: string;
  text: string;
}

const WORDS: Record<Language, Record<PageName | 'warn', Words>> = {
  en: {
    'bad-request': { title: 'Bad request', text: 'The request can’t be read.' },
    'not-found': { title: 'Not found', text: 'There is no such link. Check that you have its whole address.' },
    'method-not-allowed': { title: 'Method not allowed', text: 'A link can only be opened.' },
    gone: { title: 'Link expired', text: 'This link has ended. Ask whoever gave it to you for a new one.' },
    blocked: {
      title: 'Link blocked',
      text: 'This link leads to a site that is considered dangerous, so it is closed.',
    },
    'unknown-host': { title: 'Unknown site', text: 'This name is not served here.' },
    unavailable: { title: 'One moment', text: 'The link can’t be looked up right now. Try again in a few seconds.' },
    warn: { title: 'Check where this leads', text: 'The site below may not be safe. Go on only if you know it:' },
  },
  zh: {
    'bad-request': { title: '请求无效', text: '无法识别该请求。' },
    'not-found': { title: '链接不存在', text: '没有这个链接，请检查地址是否完整。' },
    'method-not-allowed': { title: '不支持该方法', text: '链接只能打开访问。' },
    gone: { title: '链接已失效', text: '该链接已经结束，请向提供者索取新的链接。' },
    blocked: { title: '链接已被拦截', text: '该链接指向被认为有危险的网站，已停止访问。' },
    'unknown-host': { title: '未知站点', text: '此处不提供该域名的服务。' },
    unavailable: { title: '请稍候', text: '暂时无法查询该链接，请几秒后重试。' },
    warn: { title: '请确认目标网站', text: '以下网站可能不安全，确认了解后再继续：' },
  },
};

const CONTINUE: Record<Language, string> = { en: 'Continue to the site', zh: '继续访问' };

/** A fixed page. Nothing of the request is in it. */
export function page(name: PageName, language: Language): string {
  return render(language, WORDS[language][name], '');
}

/** Shows where a link leads and goes there only by a click (S-1). `targetUrl` is a stored canonical http(s) URL. */
export function warning(targetUrl: string, language: Language): string {
  const host = escapeHtml(new URL(targetUrl).host);
  const link = `<a href="${escapeHtml(targetUrl)}" rel="noreferrer noopener">${CONTINUE[language]}</a>`;
  return render(language, WORDS[language].warn, `<p><b>${host}</b></p><p>${link}</p>`);
}

function render(language: Language, { title, text }: Words, more: string): string {
  return `<!doctype html>
<html lang="${language}"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title>
<style>body{font:1.1em/1.5 system-ui,sans-serif;max-width:34em;margin:15vh auto;padding:0 1em;color:#222;overflow-wrap:anywhere}
@media(prefers-color-scheme:dark){body{background:#161616;color:#ddd}a{color:#8cf}}</style>
<h1>${title}</h1><p>${text}</p>${more}</html>
`;
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** The visitor's language of ours with the greatest weight (RFC 9110 12.5.4), the first of equals; else English. */
export function bestLanguage(acceptLanguage: string | undefined): Language {
  let best: Language = 'en';
  let bestWeight = 0;
  for (const range of (acceptLanguage ?? '').split(',', MAX_RANGES)) {
    const [tag = '', ...parameters] = range.split(';');
    const primary = tag.trim().split('-', 1)[0]?.toLowerCase();
    if (primary !== 'en' && primary !== 'zh') continue;
    const weight = weightOf(parameters);
    if (weight > bestWeight) [best, bestWeight] = [primary, weight];
  }
  return best;
}

/** No browser sends so many; the rest of a longer list is not worth the time. */
const MAX_RANGES = 20;

function weightOf(parameters: readonly string[]): number {
  const quality = parameters.map((parameter) => /^\s*q=([\d.]+)\s*$/i.exec(parameter)?.[1]).find(Boolean);
  return quality === undefined ? 1 : Number(quality);
}

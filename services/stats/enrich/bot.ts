import { isbot } from 'isbot';

/**
 * Fetchers that make the picture of a link in a chat or a post. Words that people's in-app browsers carry too (`WhatsApp`
 * alone, `Slack_SSB`, `Line/`, `Instagram`) must not match: each entry is the fetcher's own form.
 */
const PREVIEWS = new RegExp(
  [
    '^WhatsApp/',
    'TelegramBot',
    'Slackbot',
    'Slack-ImgProxy',
    'Twitterbot',
    'facebookexternalhit',
    'facebookcatalog',
    'Facebot',
    'meta-externalfetcher',
    'LinkedInBot',
    'Discordbot',
    'SkypeUriPreview',
    'MicrosoftPreview',
    'Pinterestbot',
    'Pinterest/0\\.',
    'redditbot',
    'vkShare',
    'Viber/.*preview',
    'line-poker',
    'kakaotalk-scrap',
    'Snap URL Preview',
    'DingTalkBot-LinkService',
    'Lark(?:bot|UrlPreview)',
    'Feishu.*(?:bot|preview)',
    'Mattermost-Bot',
    'Rocket\\.Chat',
    'Embedly',
    'Iframely',
    'Cardyb',
    'Mastodon/',
    'Synapse',
    'BingPreview',
    'Google-PageRenderer',
    'Applebot-iMessage',
  ].join('|'),
  'i',
);

/** What isbot 5.2.3 lets through: command lines and libraries that set a name of their own. */
const MORE_BOTS = /^(?:Mozilla\/[45]\.0|Mozilla)?$|HeadlessChrome|\b(?:scanner|monitor(?:ing)?|urlcheck|linkcheck)/i;

export function isPreview(userAgent: string): boolean {
  return PREVIEWS.test(userAgent);
}

/** An empty user agent is a bot: every browser sends one. */
export function isBot(userAgent: string): boolean {
  const trimmed = userAgent.trim();
  return MORE_BOTS.test(trimmed) || isbot(trimmed);
}

/** What a site is for, as far as channels are concerned. */
export type SiteKind = 'SEARCH' | 'SOCIAL' | 'VIDEO' | 'SHOPPING' | 'EMAIL' | 'DISPLAY' | 'NONE';

/**
 * Hosts of each kind, each with all that is below it unless a longer one says otherwise (NONE takes a host out). The big
 * ones worldwide; `android-app://` referrers name a package instead of a host. `google.*` and the like are written as
 * `.com`, see `siteOf`.
 */
export const HOSTS: Record<SiteKind, string> = {
  SEARCH: `
    images.google.com cse.google.com com.google.android.googlequicksearchbox bing.com duckduckgo.com
    search.yahoo.com search.yahoo.co.jp yandex.com ya.ru go.mail.ru nova.rambler.ru
    baidu.com so.com haosou.com sogou.com sm.cn so.toutiao.com youdao.com chinaso.com
    search.naver.com search.daum.net seznam.cz search.seznam.cz ecosia.org qwant.com startpage.com
    search.brave.com ask.com search.aol.com kagi.com mojeek.com swisscows.com presearch.com dogpile.com
    search.lycos.com metager.org coccoc.com petalsearch.com search.goo.ne.jp search.smt.docomo.ne.jp
    search.onet.pl search.virgilio.it`,
  SOCIAL: `
    facebook.com fb.com fb.me messenger.com instagram.com threads.net threads.com whatsapp.com wa.me
    x.com twitter.com t.co tiktok.com linkedin.com lnkd.in reddit.com pinterest.com pin.it tumblr.com
    snapchat.com t.me telegram.org telegram.me discord.com discordapp.com quora.com medium.com
    mastodon.social bsky.app news.ycombinator.com stackoverflow.com stackexchange.com
    vk.com vk.ru ok.ru livejournal.com away.vk.com line.me liff.line.me kakao.com story.kakao.com
    cafe.naver.com blog.naver.com band.us ameblo.jp hatena.ne.jp note.com mixi.jp xing.com
    nextdoor.com meetup.com flipboard.com slideshare.net goodreads.com zalo.me viber.com
    weibo.com weibo.cn t.cn zhihu.com douyin.com iesdouyin.com kuaishou.com xiaohongshu.com xhslink.com
    weixin.qq.com wx.qq.com weixin110.qq.com servicewechat.com qzone.qq.com connect.qq.com c.pc.qq.com im.qq.com web.qq.com
    tieba.baidu.com zhidao.baidu.com douban.com toutiao.com jianshu.com csdn.net juejin.cn v2ex.com
    com.facebook.katana com.facebook.orca com.instagram.android com.twitter.android com.linkedin.android
    com.reddit.frontpage com.pinterest org.telegram.messenger com.tencent.mm com.tencent.mobileqq
    com.sina.weibo com.zhihu.android com.xingin.xhs com.zhiliaoapp.musically com.ss.android.ugc.aweme`,
  VIDEO: `
    youtube.com youtu.be com.google.android.youtube vimeo.com twitch.tv dailymotion.com
    bilibili.com b23.tv youku.com iqiyi.com v.qq.com mgtv.com ixigua.com rutube.ru nicovideo.jp`,
  SHOPPING: `
    amazon.com ebay.com etsy.com walmart.com aliexpress.com alibaba.com shopee.com lazada.com
    mercadolibre.com rakuten.co.jp taobao.com tmall.com jd.com pinduoduo.com yangkeduo.com 1688.com
    temu.com shein.com ozon.ru wildberries.ru flipkart.com coupang.com shopping.google.com
    shopping.yahoo.com shopping.yahoo.co.jp`,
  EMAIL: `
    mail.google.com com.google.android.gm inbox.google.com outlook.live.com outlook.office.com
    outlook.office365.com mail.live.com mail.yahoo.com mail.yahoo.co.jp mail.aol.com mail.qq.com
    exmail.qq.com mail.163.com mail.126.com mail.sina.com.cn mail.sohu.com e.mail.ru mail.yandex.com
    mail.proton.me mail.zoho.com mail.naver.com mail.daum.net navigator.gmx.net
    navigator.web.de com.microsoft.office.outlook`,
  DISPLAY: `
    doubleclick.net googlesyndication.com googleadservices.com taboola.com outbrain.com criteo.com
    adnxs.com pos.baidu.com e.qq.com`,
  NONE: `
    pan.baidu.com baike.baidu.com map.baidu.com fanyi.baidu.com translate.yandex.com
    disk.yandex.com maps.yandex.com fanyi.youdao.com note.youdao.com
    aws.amazon.com`,
};

/** Of these the host itself is for search; what is below it are other services. */
export const SEARCH_ALONE = 'google.com yahoo.com yahoo.co.jp naver.com daum.net aol.com mail.ru';

/** What people write into `utm_source` for a site, beside its host. */
export const NAMES: Record<Exclude<SiteKind, 'NONE'>, string> = {
  SEARCH: 'google yahoo bing baidu yandex naver daum aol duckduckgo adwords googleads google-ads bingads 百度 搜狗',
  SOCIAL: `fb ig an meta facebook instagram igshopping threads twitter x tw linkedin li reddit pinterest tiktok snapchat
    telegram whatsapp discord vk line kakao messenger wechat weixin wx wechat-moments qq qzone tieba weibo zhihu douyin
    kuaishou xiaohongshu xhs rednote douban toutiao 微信 微博 知乎 抖音 快手 小红书 朋友圈`,
  VIDEO: 'yt youtube bili bilibili vimeo twitch youku iqiyi',
  SHOPPING: 'amazon ebay etsy taobao tmall jd pinduoduo shopee lazada google-shopping',
  EMAIL: 'email e-mail mail newsletter gmail outlook mailchimp klaviyo sendgrid hubspot-email edm 邮件',
  DISPLAY: 'doubleclick taboola outbrain criteo dv360 gdn',
};

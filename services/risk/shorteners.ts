/**
 * Public link shorteners (R-9): a target on one hides where it ends. Apex names; an entry holds for what is below it.
 * Brands' own short domains (youtu.be, amzn.to …) are left out: they lead to their own brand only.
 */
export const SHORTENERS: ReadonlySet<string> = new Set(
  (
    '1url.com 2.gp 2no.co 4.gp 7.ly adf.ly ai6.net b23.ru bc.vc bit.do bit.ly bitly.is bl.ink budurl.com ' +
    'buff.ly chilp.it clck.ru cli.gs cutt.ly cutt.us dlvr.it dub.sh dwz.cn dwz.date fur.ly goo.gl goo.su ' +
    'gg.gg hyperurl.co ift.tt is.gd ity.im j.mp kutt.it lc.chat lnk.to lnnkin.com mcaf.ee mrte.ch ' +
    'n9.cl ouo.io ow.ly pixly.me po.st prettylinkpro.com q.gs qr.ae qr.net rb.gy rebrand.ly reurl.cc ' +
    's.id s2r.co short.cm short.gy shorte.st shorturl.asia shorturl.at shorturl.gg smarturl.it sniply.io ' +
    'snip.ly soo.gd su.pr suo.im suo.nz switchy.io t.cn t.co t.ly tcrn.ch thinfi.com tiny.cc tiny.one ' +
    'tiny.pl tinyurl.com tl.gd tny.im tr.im trib.al u.to url.cn url.ie urlr.me urlz.fr urlzs.com v.gd v.ht vo.la ' +
    'vzturl.com w.url.cn waa.ai x.co x.gd xurl.es yep.it zpr.io zws.im ' +
    '0rz.tw 1pt.co 985.so acortar.link adfoc.us app.link b.link bitly.com chl.li cort.as da.gd encurtador.com.br exe.io ' +
    'git.io han.gl hubs.ly lihi.cc linkvertise.com ln.is lnkd.in me2.do mrw.so onelink.me ouo.press page.link ppt.cc ' +
    'pse.is qrco.de sh.st shrtco.de sina.lt surl.li t2m.io u.nu vk.cc'
  ).split(' '),
);

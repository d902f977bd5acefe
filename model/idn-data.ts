/**
 * Character data for idn.ts that the engine's Unicode properties and the confusables file can't give.
 * Everything here is about host labels after UTS46 mapping, so forms that map to ASCII never reach it.
 */

/** Every script code of Unicode 17, the common one first; an engine that doesn't know one yet skips it. */
const SCRIPT_CODES = `
  Latn Cyrl Grek Arab Hebr Deva Thai Hang Adlm Aghb Ahom Armi Armn Avst Bali Bamu Bass Batk Beng Berf Bhks Bopo Brah
  Brai Bugi Buhd Cakm Cans Cari Cham Cher Chrs Copt Cpmn Cprt Diak Dogr Dsrt Dupl Egyp Elba Elym Ethi Gara Geor Glag
  Gong Gonm Goth Gran Gujr Gukh Guru Hani Hano Hatr Hira Hluw Hmng Hmnp Hung Ital Java Kali Kana Kawi Khar Khmr Khoj
  Kits Knda Krai Kthi Lana Laoo Lepc Limb Lina Linb Lisu Lyci Lydi Mahj Maka Mand Mani Marc Medf Mend Merc Mero Mlym
  Modi Mong Mroo Mtei Mult Mymr Nagm Nand Narb Nbat Newa Nkoo Nshu Ogam Olck Onao Orkh Orya Osge Osma Ougr Palm Pauc
  Perm Phag Phli Phlp Phnx Plrd Prti Rjng Rohg Runr Samr Sarb Saur Sgnw Shaw Shrd Sidd Sidt Sind Sinh Sogd Sogo Sora
  Soyo Sund Sunu Sylo Syrc Tagb Takr Tale Talu Taml Tang Tavt Tayo Telu Tfng Tglg Thaa Tibt Tirh Tnsa Todr Tols Toto
  Tutg Ugar Vaii Vith Wara Wcho Xpeo Xsux Yezi Yiii Zanb`;

/** UTS39 5.2 "highly restrictive": the only scripts that a label may mix. */
const SCRIPT_MIXES = [
  ['Latn', 'Hani', 'Hira', 'Kana'],
  ['Latn', 'Hani', 'Bopo'],
  ['Latn', 'Hani', 'Hang'],
];

/** One pattern per permitted set of scripts; a label of the set matches as a whole (UTS39 5.1). */
export const PERMITTED_SCRIPTS: readonly RegExp[] = [
  ...SCRIPT_CODES.trim()
    .split(/\s+/)
    .map((code) => [code]),
  ...SCRIPT_MIXES,
].flatMap(scriptPattern);

function scriptPattern(codes: string[]): RegExp[] {
  const members = ['Zyyy', 'Zinh', ...codes].map((code) => `\\p{Script_Extensions=${code}}`);
  try {
    return [new RegExp(`^[${members.join('')}]+$`, 'u')];
  } catch {
    // Older engines throw on a script of a later Unicode; its letters are unassigned to them and never get here.
    return [];
  }
}

/**
 * Default-ignorable characters, and those that are drawn as nothing or as a blank all the same: format and space
 * characters, the Braille blank, the null notehead and the Khitan filler.
 */
export const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Z}\u2800\u{1D159}\u{16FE4}]/u;

/** In the skeleton of a look-alike (UTS39 4): / ? # : @ . \ and the middle dot, or % (whose own skeleton is a fraction). */
export const DELIMITER_SKELETON = /[/?#:@.\\]|^·$/;

/** Look-alikes of URL delimiters that the confusables file lacks or maps to something else. */
export const DELIMITER_LOOKALIKES: ReadonlySet<string> = new Set([
  ...'\u0337\u0338\u20E5\u20EB', // / and \ as overlays on the letter before
  ...'╲', // \ as a box drawing
  ...'⸰⸳᙮⳾', // . raised, and full stops of other scripts
  ...'⁝⁞⋮⸓჻፡።፥፦꓿', // : with more dots, and word separators of that shape
  ...'¿‽⸮❓❔⍰՞፧᥅𑅃⳺⳻꘏⹔', // ? turned, mixed, as a sign, and those of other scripts
  ...'♯⌗⋕', // # as sharp, square and relation
  ...'·', // . as middle dot; the confusables map its look-alikes to it, not it to anything
]);

/** Letters of a living spelling whose skeleton is ASCII, with the ASCII top-level domains where they are expected. */
export const ORTHOGRAPHIC: readonly (readonly [letters: RegExp, topLevel: RegExp])[] = [
  [/[æœ]/g, /^/], // Danish, Norwegian, Icelandic, French: read as two letters nobody takes them for
  [/ı/g, /^(?:tr|az|kz|ist|istanbul)$/], // Turkish dotless i: elsewhere it is a disguised i
];

// Letters that look like Latin ones, with which a word or a name imitates another.

/** Matches letters of scripts that have letters in the shape of Latin ones, and the small capitals of phonetics. */
const LOOKALIKE =
  /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Lisu}\p{Script=Coptic}ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ]/gu;
/** Each pattern matches a letter of one script. Ordinary words don't mix these scripts. */
const ALONE = [/\p{Script=Cyrillic}/u, /\p{Script=Greek}/u, /\p{Script=Armenian}/u];

/** The matched letters that look exactly like Latin letters, each with that Latin letter. */
const LATIN_SHAPES: ReadonlyMap<string, string> = new Map(
  [
    'аa АA ВB сc СC еe ЕE һh НH іi ІI јj ЈJ КK МM оo ОO рp РP ѕs ЅS ТT уy УY хx ХX ԁd ԛq ԚQ ԝw',
    'ԜW ѵv ΑA ΒB ΕE ΖZ ΗH ΙI ΚK ΜM ΝN ΟO ΡP ΤT ΥY ΧX οo νv ιi ρp υu κk օo սu ոn հh ՏS ՕO ԼL ᴀa',
    'ʙb ᴄc ᴅd ᴇe ꜰf ɢg ʜh ɪi ᴊj ᴋk ʟl ᴍm ɴn ᴏo ᴘp ʀr ꜱs ᴛt ᴜu ᴠv ᴡw ʏy ᴢz',
  ].flatMap((row) => row.split(' ').map(([letter = '', latin = '']) => [letter, latin] as const)),
);
const WHOLLY_LATIN_SHAPED = /[\p{Script=Cherokee}\p{Script=Lisu}\p{Script=Coptic}]/u;

/** Whether a word mixes Latin letters with letters of another script, all of which look Latin. */
export function isDisguised(word: string): boolean {
  return word.search(LOOKALIKE) >= 0 && /[a-z]/i.test(word) && /^[\w-]+$/.test(latinForm(word));
}

/** Matches a word that is spelled out with blanks between its letters. */
const SPELLED = /(?<!\S)\p{L}(?: \p{L}){2,}(?!\S)/gu;

/** Returns the text as a quick reader sees it: look-alike letters become Latin ones, spelled-out words become words. */
export function latinForm(text: string): string {
  if (!/[^ -~]| \S /.test(text)) return text;
  return text
    .normalize('NFKC')
    .replace(LOOKALIKE, (char) => LATIN_SHAPES.get(char) ?? char)
    .replace(SPELLED, (letters) => letters.replaceAll(' ', ''));
}

/**
 * Replaces each letter by which a name may pass for another: look-alike letters that are mixed with Latin ones or with
 * each other, or that the whole name consists of, and letters that are fullwidth, mathematical or in circles.
 */
export function replaceLookalikes(name: string, by: (char: string) => string): string {
  const imitates = isImitation(name);
  return name
    .replace(/\p{L}+/gu, (word) =>
      imitates || /\p{Script=Latin}/u.test(word) || isMixed(word) ? word.replace(LOOKALIKE, by) : word,
    )
    .replace(/[\p{L}\p{N}Ⓐ-ⓩ🄰-🅩]/gu, (char) =>
      char > '\u007f' && /^[\w ]+$/.test(char.normalize('NFKC')) ? by(char) : char,
    );
}

/** Whether a name imitates a Latin one. A real name in another script also has letters that don't look Latin. */
function isImitation(name: string): boolean {
  const foreign = name.match(LOOKALIKE) ?? [];
  return foreign.length > 1 && foreign.every((char) => LATIN_SHAPES.has(char) || WHOLLY_LATIN_SHAPED.test(char));
}

function isMixed(word: string): boolean {
  return ALONE.filter((script) => script.test(word)).length > 1;
}

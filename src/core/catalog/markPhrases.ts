// Phrases by which a definition misleads: orders to a model, data that is sent to third parties, keys that are read,
// encoded commands. The phrases are English and German. In other languages only the order to ignore instructions is
// recognized.

import { decodedIn } from '../util/encodedText';
import { latinForm } from '../util/lookalikes';

/** Programs and shell constructs that an honest definition has no reason to encode. */
const COMMAND =
  /(?:^|[\s;&|"'(`])(?:curl|wget|chmod|bash|zsh|sh|nc|ncat|rm\s+-\w+|sudo|eval|exec|scp|ssh|powershell|pwsh|iwr|iex|Invoke-\w+|certutil|osascript|python\d?\s+-c|node\s+-e|perl\s+-e|base64\s+-d)(?=\s|$)|\/bin\/(?:ba|z)?sh|\/dev\/tcp|https?:\/\/\S/i;
/** A Markdown link that runs a command of VS Code. */
const COMMAND_LINK = /\[[^[\]\n]{0,80}\]\(command:[^)\s]{0,80}/i;

/** Returns the first encoded command or order in a text, decoded, or the first link that runs a command. */
export function hiddenCommandIn(text: string): string | undefined {
  const encoded = decodedIn(text).find((decoded) => COMMAND.test(decoded) || orderIn(decoded));
  return encoded ?? COMMAND_LINK.exec(text)?.[0];
}

/** Compiles a list of patterns. `\b` doesn't know umlauts, so German words have their own boundaries. */
const patterns = (...sources: readonly string[]) => sources.map((source) => new RegExp(source, 'gi'));
const BEFORE_WORD = String.raw`(?<![\wäöüß])`;
const AFTER_WORD = String.raw`(?![\wäöüß])`;

/** Matches the start of an order: the beginning of a sentence or of one of its parts. */
const BEGIN = String.raw`(?:^|[.,!?;:\n>*\]-]\s*|\b(?:and|then|first|instead|must|should|please|kindly|also|to|you|always|now|immediately)[,:]?\s+)`;
/** The same without "to", which also begins the description of an argument. */
const BEGIN_SENTENCE = BEGIN.replace('|to|', '|');
const RULES =
  '(?:instructions?|directions?|directives?|rules|guidelines?|guardrails?|prompts?|commands?|context|constraints|polic(?:y|ies)|restrictions|messages?)';
const EARLIER =
  "(?:all|any|every|the|your|my|its|these|those|previous|prior|above|earlier|preceding|existing|original|other|safety|system|security|of|and|user(?:'s)?)";
const NOT = String.raw`\b(?:do\s*n[o']t|don’t|never|must\s+not)`;
/** Excludes an order that is denied earlier in the same sentence. */
const NOT_DENIED = String.raw`(?<!(?:\b(?:not|never|nicht|nie|niemals|no)\b|n['’]t\b)[^.\n]{0,80})`;
const OTHERS = '(?:any|all|every|other)';
const USER_DE = String.raw`(?:nutzer|benutzer|anwender|user)\w{0,6}`;
const TOOL_DE = '(?:werkzeuge?s?|tools?|funktion(?:en)?)';

/** Orders that are only meant for a model that reads the definition. */
const ORDERS = patterns(
  String.raw`${BEGIN}(?:ignore|disregard|forget|override|bypass|circumvent|discard)\s+(?:${EARLIER}\s+){1,6}${RULES}\b`,
  String.raw`${BEGIN}(?:ignore|disregard|forget)\s+(?:(?:all|everything|anything|the)\s+)*(?:of\s+the\s+)?(?:above|previous|prior|preceding|foregoing|before)\b(?!\s+(?:limit|value|result|page|entr|error|item|line|version)\w*)`,
  String.raw`${BEGIN_SENTENCE}(?:reveal|print|show|output|repeat|disclose|leak|expose|return|include)\s+(?:\w+\s+){0,3}(?:system|hidden|initial|developer)\s+(?:prompt|instructions?|message)\b`,
  String.raw`${NOT}\s+(?:ever\s+)?(?:mention|tell|inform|notify|alert|warn)\s+(?:\w+\s+){0,4}?(?:the\s+)?users?\b`,
  String.raw`${NOT}\s+(?:ever\s+)?(?:(?:reveal|disclose|show)\s+(?:this|that|it|these|them|anything)\s+(?:\w+\s+){0,3}?(?:the\s+)?users?|let\s+(?:the\s+)?users?\s+(?:know|see|notice))\b`,
  String.raw`${NOT_DENIED}\bwithout\s+(?:ever\s+)?(?:mentioning|telling|informing|notifying|alerting|asking|warning)\s+(?:\w+\s+){0,4}?(?:the\s+)?users?\b`,
  String.raw`${NOT}\s+(?:mention|reveal|disclose|tell|say)\s+(?:that|this|anything|it)\b`,
  String.raw`\b(?:hide|conceal|keep)\s+(?:this|it|that|these|them)\s+(?:\w+\s+){0,2}(?:from|secret)\b`,
  String.raw`(?:^|[.!?\n>]\s*)<\s*(?:important|system|hidden|instructions?|admin)\s*>|<\s*(important|system|hidden|instructions?|admin)\s*>[^<]{10,2000}<\/\s*\1\s*>|\[\s*(?:system|inst|important|admin)\s*\]|<\|im_start\|>|###\s*(?:system|instruction)`,
  String.raw`(?:^|[.!?\n]\s*)(?:system|assistant|user|developer)\s*:\s*(?:from\s+now\s+on|you\s+(?:must|are|will|should)|i\s+will|ignore|always|never|new\s+\w+)\b`,
  String.raw`\bfrom\s+now\s+on\b[^.\n]{0,60}\b(?:answer|respond|reply|act|always|every|obey|you)\b`,
  String.raw`\b(?:(?:before|when(?:ever)?)\s+(?:using|calling|invoking|running|executing)\s+this|(?:before|after|when(?:ever)?)\s+(?:using|calling|invoking|running|executing)\s+(?:any|any\s+other|every|all|other))\s+(?:\w+\s+){0,2}(?:tools?|functions?)\b[^.]{0,80}\b(?:read|open|send|include|pass|access|load|fetch|cat)\b`,
  String.raw`\bwhen(?:ever)?\s+\S+(?:\s+\S+){0,4}\s+(?:is|are)\s+(?:called|invoked|used|executed|run)\b[^.]{0,120}\b(?:change|replace|modify|redirect|bcc|forward|set|add|append|substitute)\b[^.]{0,60}\b(?:recipients?|addresses|address|numbers?|amount|account|to|bcc|url|destination)\b`,
  String.raw`\b(?:always|only)\s+(?:use|call|prefer|choose|select)\s+this\s+(?:tool|function)\b[^.]{0,40}\b(?:instead\s+of|over|rather\s+than)\s+${OTHERS}\b`,
  String.raw`\bthis\s+(?:tool|function)\s+(?:replaces|supersedes)\s+(?:all|every|any)\b|${NOT}\s+(?:use|call)\s+any\s+other(?:\s+(?:tools?|functions?))?(?=[.,;!]|$)`,
  String.raw`\bno\s+matter\s+what\s+(?:the\s+)?users?\b|\bwhatever\s+(?:the\s+)?users?\s+(?:says?|asks?|wants?)\b`,
  String.raw`\bno\s+need\s+to\s+(?:ask|tell|inform|notify|warn)\s+(?:the\s+)?users?\b|\b(?:permission|consent|approval)\s+(?:(?:has|was|is)\s+already\s+(?:been\s+)?|has\s+been\s+)(?:given|granted)\b|\buser\s+has\s+already\s+(?:agreed|approved|consented|confirmed)\b`,
  String.raw`\bthe\s+user\s+(?:wants|expects|has\s+asked|asked)\s+you\s+to\b`,
  String.raw`\b(?:include|append|add|embed|insert|end|begin|start|put|render)\b[^.\n]{0,80}!?\[[^[\]\n]{0,80}\]\(https?:[^)\n]{0,200}\)`,
  String.raw`\b(?:you\s+are\s+now|act\s+as\s+(?:an?\s+)?(?:unrestricted|admin|root|developer)|new\s+(?:instructions?|rules)\s*:)\b`,
  // German
  String.raw`${BEFORE_WORD}(?:ignoriere|missachte|überschreibe|umgehe|verwirf|vergiss|(?:ignorieren|missachten|überschreiben|umgehen|verwerfen|vergessen)\s+sie)\s+(?:(?:alle|sämtliche|jegliche|die|deine|ihre|meine|seine|bisherigen?|vorherigen?|vorigen?|früheren?|obigen?|vorangegangenen?|ursprünglichen?|anderen?|geltenden?)\s+){1,5}(?:anweisung|instruktion|regel|vorgabe|richtlinie|prompt|befehl|vorschrift|einschränkung)\w*`,
  String.raw`${BEFORE_WORD}(?:sage?|sagen\s+sie|verrate|verraten\s+sie|erzähle?|erzählen\s+sie|melde|melden\s+sie|erwähne?|erwähnen\s+sie|informiere|informieren\s+sie|verschweige|verschweigen\s+sie)${AFTER_WORD}[^.\n]{0,60}\b${USER_DE}[^.\n]{0,30}?\b(?:nichts|nicht(?!\s+(?:nur|mehr|alle))|kein\w*)\b`,
  String.raw`${BEFORE_WORD}(?:verschweige|verschweigen\s+sie|verheimliche|verheimlichen\s+sie)[^.\n]{0,60}\b${USER_DE}`,
  String.raw`${NOT_DENIED}\bohne\s+(?:(?:\w+\s+){0,3}${USER_DE}\s+(?:\w+\s+){0,2}zu\s+(?:fragen|informieren|benachrichtigen|warnen)|(?:rückfrage|nachfrage|bestätigung|wissen|zustimmung)\s+(?:bei\w*|des|dem|der)\s+(?:\w+\s+)?${USER_DE})`,
  String.raw`\b(?:bevor|nachdem|wenn|sobald)\s+(?:du|sie)\s+(?:\S+\s+){0,3}${TOOL_DE}\s+[^.]{0,30}(?:verwende|benutz|nutz|ruf|aufruf)\w*[^.]{0,60}\b(?:lies|lade|öffne|sende|schicke?|gib|übergib|füge)${AFTER_WORD}`,
  String.raw`\b(?:verwende|benutze|nutze|rufe?|wähle)\s+(?:\w+\s+)?(?:immer|stets|nur|ausschließlich|zuerst)?\s*diese[srn]?\s+${TOOL_DE}[^.]{0,40}\b(?:statt|anstelle|anstatt|vor)\s+(?:von\s+)?(?:alle|jede|ander)\w*`,
  String.raw`\b(?:gib|geben\s+sie|zeige?|zeigen\s+sie|verrate|nenne|wiederhole|drucke)\b[^.\n]{0,30}\bsystem-?(?:prompt|anweisung)\w*`,
  // Other languages
  String.raw`\bign[oó]r\w{0,4}\s+(?:\S+\s+){0,3}(?:instru\S+|consignes|règles|reglas|istruzioni)\s+(?:\S+\s+)?(?:pr[eéè]c[eé]d|anterior|previ|ci-dessus)\S*`,
  String.raw`忽略[^。\n]{0,10}(?:之前|先前|以上|此前)[^。\n]{0,10}(?:指令|指示|提示|规则|規則)|(?:以前|上記|これまで)[^。\n]{0,10}(?:指示|命令|ルール)[^。\n]{0,5}無視|игнорируй\S*\s+(?:\S+\s+){0,3}(?:инструкци|указани|правил)\S*`,
);

/** Verbs of definitions whose tools work on such phrases, for example to detect them. */
const DEALS_WITH = String.raw`\b(?:detect|analy[sz]|explain|check|scan|identif|block|prevent|classif|flag|filter|warn|guard|describ|document|illustrat|simulat|stop|reject|find|evaluat|test|judg|erkenn|prüf|blockier)\w*\b`;
/** Words before an order that show that the definition only mentions the order. */
const ABOUT_ORDER = new RegExp(
  [
    String.raw`${DEALS_WITH}[^.\n]*\b(?:that|which|who|whether|when|if|how|such\s+as|like|e\.g\.|die|ob|wie)\b`,
    String.raw`\b(?:such as|e\.g\.|like|called|that|which|who)\s+$`,
    String.raw`\b(?:tries|attempts?|asks?|asking|trying|attempting|told)\b`,
    String.raw`\b(?:if|when|whether)\s+(?:set|true|false|enabled|disabled|given|present|on|off|\S+\s+is\s+(?:set|true|false|enabled|on|off|given))\b`,
  ].join('|'),
  'i',
);
/** Words before any other phrase that show that the definition only mentions it. */
const ABOUT = new RegExp(DEALS_WITH, 'i');
/** A label that shows that the phrase after it is data. */
const LABEL =
  /\b(?:output|response|reply|replies|result|returns?|text|string|content|fixture|input|example|sample|value|completion|answer|message)s?\s*(?:\([^)]*\))?\s*:/i;

/** Returns the first order in a text that is neither quoted nor only mentioned. */
export function orderIn(text: string): string | undefined {
  return firstIn(text, ORDERS, (before) => ABOUT_ORDER.test(before) || LABEL.test(before));
}

/** The maximum number of characters before a phrase that are read as its context. */
const MAX_SENTENCE = 300;

/** Returns the part of the sentence that precedes a phrase. */
function sentenceBefore(text: string, { 0: phrase, index = 0 }: RegExpMatchArray): string {
  const start = index + phrase.length - bare(phrase).length;
  const context = text.slice(Math.max(0, start - MAX_SENTENCE), start);
  return context.split(/[.!?\n](?=\s|$)/).at(-1) ?? '';
}

/** Removes the end of the previous sentence from a phrase. */
function bare(phrase: string): string {
  return phrase.replace(/^[\s.,!?;:>*\]-]+/, '');
}

/** Returns the first match of any pattern that isn't quoted, unless the words before it excuse it. */
function firstIn(
  text: string,
  wanted: readonly RegExp[],
  isExcused = (before: string) => ABOUT.test(before),
): string | undefined {
  for (const form of new Set([text, latinForm(text)]))
    for (const pattern of wanted)
      for (const match of form.matchAll(pattern)) {
        const before = sentenceBefore(form, match);
        if (!isQuoted(before) && !isExcused(before)) return bare(match[0]);
      }
  return undefined;
}

/** Whether a quotation is still open at the end of the text. An apostrophe inside a word doesn't open one. */
function isQuoted(text: string): boolean {
  const count = (sign: RegExp) => text.match(sign)?.length ?? 0;
  const single = count(/(?<!\w)['‘](?=\w)/g) - count(/(?<=[\w.!?,])['’](?!\w)/g);
  return single > 0 || count(/"/g) % 2 === 1 || count(/`/g) % 2 === 1 || count(/“/g) > count(/”/g);
}

const SECRET = String.raw`(?:~\/\.\w[\w./-]*|\.ssh\b|id_rsa|id_ed25519|\.aws\/credentials|\.env\b|\.npmrc|\.netrc|\.kube\/config|\/etc\/(?:passwd|shadow)|mcp\.json|private\s+keys?|ssh\s+keys?|credentials?|passwords?|api[\s_-]?keys?|access\s+tokens?|secrets?|environment\s+variables|(?:conversation|chat|message)\s+(?:history|log)|cookies|wallets?|seed\s+phrases?|passwort|passwörter|kennwort|zugangsdaten|schlüssel|gesprächsverlauf)`;
const SEND =
  '(?:sends?|sending|posts?|posting|uploads?|uploading|forwards?|forwarding|transmits?|transmitting|exfiltrates?|exfiltrating|leaks?|leaking|copies|copy|e-?mails?|ships?|pushes|reports?|beacons?|mirrors?|bcc)';
const SEND_DE =
  '(?:sende[tn]?|schicke?[tn]?|lade|lädt|laden|kopiere?[tn]?|übertrage?[tn]?|überträgt|leite[tn]?|poste[tn]?)';
const AWAY = String.raw`(?:external|remote|attacker\S*|third[\s-]party|outside|another|our|my|collector|analytics|webhook|c2|https?:\/\/\S+|[\w.-]+@[\w.-]+\.\w+|\S+\.(?:evil|tld|example|com|net|org|io|ru|xyz)\S*)`;
const PLACE = '(?:server|host|endpoint|service|address|url|collector|site|domain)';
/** Phrases that send secrets or a tool's input to a third party. */
const SENT = patterns(
  String.raw`\bexfiltrat\w+`,
  String.raw`\battacker\b`,
  String.raw`\b${SEND}\b[^.\n]{0,80}${SECRET}[^\n]{0,80}?\b(?:to|at|via)\s+(?:\w+\s+){0,3}?${AWAY}`,
  String.raw`${SECRET}[^\n]{0,60}\b${SEND}\b[^.\n]{0,60}\b(?:to|at|via)\s+(?:\w+\s+){0,3}?${AWAY}`,
  String.raw`\b(?:also|additionally|secretly|silently|quietly|covertly|then|and)\s+(?:\w+\s+)?${SEND}\b[^.\n]{0,60}\b(?:to|at|via)\s+(?:an?\s+|the\s+|our\s+|my\s+)?(?:\w+\s+)?(?:external|remote|third[\s-]party|analytics|attacker\S*|hidden|outside)\s+(?:\w+\s+)?${PLACE}`,
  String.raw`\b(?:cop(?:y|ies)\s+of\s+(?:all|any|every|each|the|your)|(?:all|every|each|your)\s+(?:arguments?|inputs?|prompts?|conversations?|questions?|passwords?|keys?|secrets?))\b[^.\n]{0,60}\b(?:is|are|gets?|will\s+be)\s+(?:\w+\s+)?(?:sent|posted|uploaded|forwarded|transmitted|copied|mirrored|shipped|reported)\s+(?:\w+\s+){0,2}?to\s+(?:an?\s+|the\s+|our\s+)?${AWAY}`,
  String.raw`\b(?:full|entire|whole|complete|this|your)\s+(?:conversation|chat)\b[^.\n]{0,60}\bsystem\s+prompt|\bsystem\s+prompt\b[^.\n]{0,60}\b(?:full|entire|whole|complete|this|your)\s+(?:conversation|chat)\b`,
  String.raw`${BEFORE_WORD}${SEND_DE}\s[^.\n]{0,60}?(?:heimlich|unbemerkt|außerdem|zusätzlich)[^.\n]{0,60}\b(?:extern|fremd|entfernt|dritt|unser)\w*\s+(?:\w+\s+)?(?:server|dienst|adresse|stelle|endpunkt|url)`,
  String.raw`${BEFORE_WORD}(?:heimlich|unbemerkt|außerdem|zusätzlich)[^.\n]{0,60}${BEFORE_WORD}${SEND_DE}\s[^.\n]{0,60}\b(?:extern|fremd|entfernt|dritt|unser)\w*\s+(?:\w+\s+)?(?:server|dienst|adresse|stelle|endpunkt|url)`,
  String.raw`${BEFORE_WORD}${SEND_DE}\s[^\n]{0,80}${SECRET}[^\n]{0,80}?\b(?:an|auf|nach|zu)\s+(?:\w+\s+){0,3}?${AWAY}`,
);

/** Names of files with keys. */
const KEY_FILES = patterns(
  String.raw`(?:~|\/root|\/home\/\w+|%\w+%|\$home)[\\/]\.(?:ssh|aws|gnupg|kube|cursor|netrc|npmrc|docker)\b[\w.\\/-]*|\bid_rsa\b|\bid_ed25519\b|\.ssh[\\/]\w+|\/etc\/(?:passwd|shadow)\b|\.aws[\\/]credentials|\.cursor[\\/]mcp\.json`,
);
/** Words in the names of tools that legitimately work with keys. */
const KEY_NAMES =
  /ssh|aws|key|cred|secret|auth|kube|docker|config|vault|git|deploy|login|token|env|s3|cloud|npm|dotfile|backup/i;
/** Words that show that a key is used for signing in, and not read as data. */
const SIGNS_IN = /\b(?:authenticat|sign(?:s|ed|ing)?[ -]?in|log(?:s|ged)?[ -]?in|connect|profile|default|anmeld)\w*/i;

/** Returns a phrase by which a tool's data is sent to a third party. */
export function sendingIn(text: string): string | undefined {
  return firstIn(text, SENT);
}

/** Returns the file with keys that a definition mentions, unless the tool's name shows that it works with keys. */
export function keyFileIn(text: string, name: string): string | undefined {
  if (KEY_NAMES.test(name)) return undefined;
  return firstIn(text, KEY_FILES, (before) => ABOUT.test(before) || SIGNS_IN.test(before));
}

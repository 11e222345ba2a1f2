// Marks parts of a tool's definition that may be meant to mislead a model or a person: hidden characters, encoded
// commands, orders to the model, and names of other servers' tools. A mark is shown to the person who decides about a
// call; it blocks nothing. It may be wrong.

import { groupBy } from '../util/groupBy';
import { isObject } from '../util/objects';
import { hiddenIn, oneLine } from '../util/plainText';
import type { Tool } from './tool';

export type MarkKind = 'hidden' | 'encoded' | 'order' | 'secret' | 'sends' | 'twin' | 'names';

export interface ToolMark {
  readonly kind: MarkKind;
  /** The marked part of the definition. If two tools collide: the other tool's id. */
  readonly part: string;
}

/** The parts of a tool that are checked. */
export type MarkedTool = Pick<Tool, 'id' | 'server' | 'name' | 'description' | 'inputSchema' | 'title' | 'unseen'>;

/** Limits on the definition that is checked and on a part that is shown, in characters. */
const MAX_TEXT = 30_000;
const MAX_PART = 120;

const markers = new WeakMap<readonly MarkedTool[], (tool: MarkedTool) => readonly ToolMark[]>();

/** Returns a tool's marks, among the tools of a catalog. Cached by both, because an inspector asks again and again. */
export function marksOf(tool: MarkedTool, all: readonly MarkedTool[]): readonly ToolMark[] {
  const marker = markers.get(all) ?? createMarker(all);
  markers.set(all, marker);
  return marker(tool);
}

function createMarker(all: readonly MarkedTool[]): (tool: MarkedTool) => readonly ToolMark[] {
  const known = new WeakMap<MarkedTool, readonly ToolMark[]>();
  const byName = groupBy(all, ({ name }) => name);
  return (tool) => {
    const marks = known.get(tool) ?? findMarks(tool, byName);
    known.set(tool, marks);
    return marks;
  };
}

type ByName = ReadonlyMap<string, readonly MarkedTool[]>;

function findMarks(tool: MarkedTool, byName: ByName): readonly ToolMark[] {
  const text = textOf(tool);
  const marks: ToolMark[] = [];
  const add = (kind: MarkKind, part: string | undefined) => {
    if (part !== undefined && !marks.some((mark) => mark.kind === kind))
      marks.push({ kind, part: oneLine(part).slice(0, MAX_PART) });
  };
  add('hidden', tool.unseen ?? (hiddenIn(text) || undefined));
  for (const decoded of decodedIn(text)) if (COMMAND.test(decoded) || orderIn(decoded)) add('encoded', decoded);
  add('order', orderIn(text));
  add('sends', firstIn(text, SENT));
  add('secret', secretReadIn(text, `${tool.server} ${tool.name}`));
  add('names', namedIn(text, tool, byName));
  add('twin', twinOf(tool, byName)?.id);
  return marks;
}

/** Returns everything in a definition that a model reads as prose. */
function textOf({ name, title = '', description, inputSchema }: MarkedTool): string {
  const texts = [name, title, description];
  let room = MAX_TEXT - description.length;
  const waiting: unknown[] = [inputSchema];
  for (let node = waiting.pop(); node !== undefined && room > 0; node = waiting.pop()) {
    if (Array.isArray(node)) waiting.push(...node.slice(0, 100));
    if (!isObject(node)) continue;
    for (const [key, value] of Object.entries(node)) {
      if ((key === 'description' || key === 'title') && typeof value === 'string') {
        texts.push(value);
        room -= value.length;
      } else if (typeof value === 'object') waiting.push(value);
    }
  }
  return texts.filter(Boolean).join('.\n').slice(0, MAX_TEXT);
}

const BASE64 = /[A-Za-z0-9+/_-]{20,}={0,2}/g;
const HEX = /^(?:[0-9a-f]{2}){12,}$/i;
/** Programs and constructs of shells that a definition has no reason to hide. */
const COMMAND =
  /(?:^|[\s;&|"'(`])(?:curl|wget|chmod|bash|zsh|sh|nc|ncat|rm\s+-\w+|sudo|eval|exec|scp|ssh|powershell|pwsh|iwr|iex|Invoke-\w+|certutil|osascript|python\d?\s+-c|node\s+-e|perl\s+-e|base64\s+-d)(?=\s|$)|\/bin\/(?:ba|z)?sh|\/dev\/tcp|https?:\/\/\S/i;

/** Returns the decoded form of encoded texts in the definition, if that is text. */
function decodedIn(text: string): readonly string[] {
  return [...text.matchAll(BASE64)].slice(0, 50).flatMap(([token]) => {
    const decoded = HEX.test(token) ? fromHex(token) : fromBase64(token);
    return decoded !== undefined && decoded.length >= 8 && /^[\t\n\r -~]+$/.test(decoded) ? [decoded] : [];
  });
}

function fromHex(token: string): string {
  return String.fromCharCode(...(token.match(/../g) ?? []).slice(0, 2_000).map((byte) => Number.parseInt(byte, 16)));
}

function fromBase64(token: string): string | undefined {
  try {
    return atob(token.replaceAll('-', '+').replaceAll('_', '/').slice(0, 8_000));
  } catch {
    return undefined;
  }
}

/** Patterns for the start of a sentence, or of its continuation, that gives an order. */
const BEGIN = String.raw`(?:^|[.!?;:\n>*\]-]\s*|\b(?:and|then|first|instead|must|should|please|also|to|you|always|now|immediately)[,:]?\s+)`;
const RULES =
  '(?:instructions?|directions?|directives?|rules|guidelines?|guardrails?|prompts?|commands?|context|constraints|polic(?:y|ies)|restrictions|messages?)';
const EARLIER =
  "(?:all|any|every|the|your|my|its|these|those|previous|prior|above|earlier|preceding|existing|original|other|safety|system|security|of|and|user(?:'s)?)";
/** Orders that only make sense to a model that reads the definition. */
const ORDERS: readonly RegExp[] = [
  String.raw`${BEGIN}(?:ignore|disregard|forget|override|bypass|circumvent|discard)\s+(?:${EARLIER}\s+){1,6}${RULES}\b`,
  String.raw`${BEGIN}(?:ignore|disregard|forget)\s+(?:(?:all|everything|anything|the)\s+)*(?:of\s+the\s+)?(?:above|previous|prior|preceding|foregoing|before)\b`,
  String.raw`${BEGIN}(?:reveal|print|show|output|repeat|disclose|leak|expose|return|include)\s+(?:\w+\s+){0,3}(?:system|hidden|initial|developer)\s+(?:prompt|instructions?|message)\b`,
  String.raw`\b(?:do\s*n[o']t|don’t|never|must\s+not|without)\s+(?:ever\s+)?(?:mention|tell|telling|inform|informing|notify|notifying|alert|alerting|reveal|revealing|disclose|disclosing|show|showing|asking|warn|warning|let)(?:ing)?\s+(?:\w+\s+){0,4}?(?:the\s+)?users?\b`,
  String.raw`\b(?:do\s*n[o']t|don’t|never|must\s+not)\s+(?:mention|reveal|disclose|tell|say)\s+(?:that|this|anything|it)\b`,
  String.raw`\b(?:hide|conceal|keep)\s+(?:this|it|that|these|them)\s+(?:\w+\s+){0,2}(?:from|secret)\b`,
  String.raw`<\s*(?:important|system|hidden|instructions?|admin)\s*>|\[\s*(?:system|inst|important|admin)\s*\]|<\|im_start\|>|###\s*(?:system|instruction)`,
  String.raw`\b(?:before|after|when(?:ever)?)\s+(?:using|calling|invoking|running|executing)\s+(?:this|any|any\s+other|every|all|other)\s+(?:\w+\s+){0,2}(?:tools?|functions?)\b[^.]{0,80}\b(?:read|open|send|include|pass|access|load|fetch|cat)\b`,
  String.raw`\bwhen(?:ever)?\s+\S+(?:\s+\S+){0,4}\s+(?:is|are)\s+(?:called|invoked|used|executed|run)\b[^.]{0,120}\b(?:change|replace|modify|redirect|bcc|forward|set|add|append|substitute)\b[^.]{0,60}\b(?:recipients?|addresses|address|numbers?|amount|account|to|bcc|url|destination)\b`,
  String.raw`\b(?:always|only)\s+(?:use|call|prefer|choose|select)\s+this\s+(?:tool|function)\b[^.]{0,40}\b(?:instead\s+of|over|rather\s+than)\s+(?:any|all|every|other)\b`,
  String.raw`\b(?:you\s+are\s+now|act\s+as\s+(?:an?\s+)?(?:unrestricted|admin|root|developer)|new\s+instructions?\s*:)\b`,
].map((source) => new RegExp(source, 'gi'));

/**
 * Words before a phrase, in its sentence, which show that the definition only speaks about it: for an order, and for
 * any phrase.
 */
const ABOUT_ORDER =
  /\b(?:such as|that|which|whether|if|when|e\.g\.|like|called)\s|\b(?:tries|attempts?|asks?|asking|trying|attempting|told)\b/i;
const ABOUT =
  /\b(?:detect|analy[sz]|explain|check|scan|identif|block|prevent|classif|flag|filter|warn|guard|describ|document|illustrat|simulat|stop|reject|find|evaluat|test)\w*\b/i;
/** A label before a phrase that makes it data. */
const LABEL =
  /\b(?:output|response|reply|replies|result|returns?|text|string|content|fixture|input|example|sample|value|completion|answer|message)s?\s*(?:\([^)]*\))?\s*:/i;

/** Returns the first order in a text that isn't quoted or only spoken about. */
function orderIn(text: string): string | undefined {
  for (const order of ORDERS)
    for (const match of text.matchAll(order)) {
      const sentence = sentenceBefore(text, match);
      if (!isMeta(sentence) && !ABOUT_ORDER.test(sentence) && !LABEL.test(sentence)) return match[0];
    }
  return undefined;
}

/** Number of characters before a phrase that are read as its context. */
const MAX_SENTENCE = 300;

/** Returns the part of its sentence that comes before a phrase. */
function sentenceBefore(text: string, { 0: phrase, index = 0 }: RegExpMatchArray): string {
  const start = index + (/^[\s.!?;:>*\]-]*/.exec(phrase)?.[0].length ?? 0);
  return (
    text
      .slice(Math.max(0, start - MAX_SENTENCE), start)
      .split(/[.!?\n](?=\s|$)/)
      .at(-1) ?? ''
  );
}

function isMeta(sentence: string): boolean {
  return isQuoted(sentence) || ABOUT.test(sentence);
}

/** Returns the first match of any pattern that isn't quoted or only spoken about. */
function firstIn(text: string, patterns: readonly RegExp[]): string | undefined {
  for (const pattern of patterns)
    for (const match of text.matchAll(pattern)) if (!isMeta(sentenceBefore(text, match))) return match[0];
  return undefined;
}

/** Whether a quotation is open at the end of the text. An apostrophe within a word opens none. */
function isQuoted(text: string): boolean {
  const count = (sign: RegExp) => text.match(sign)?.length ?? 0;
  const single = count(/(?<!\w)['‘](?=\w)/g) - count(/(?<=[\w.!?,])['’](?!\w)/g);
  return single > 0 || count(/"/g) % 2 === 1 || count(/`/g) % 2 === 1 || count(/“/g) > count(/”/g);
}

const SECRET = String.raw`(?:~\/\.\w[\w./-]*|\.ssh\b|id_rsa|id_ed25519|\.aws\/credentials|\.env\b|\.npmrc|\.netrc|\.kube\/config|\/etc\/(?:passwd|shadow)|mcp\.json|private\s+keys?|ssh\s+keys?|credentials?|passwords?|api[\s_-]?keys?|access\s+tokens?|secrets?|environment\s+variables|(?:conversation|chat|message)\s+(?:history|log)|cookies|wallets?|seed\s+phrases?)`;
const SEND =
  '(?:sends?|sending|posts?|posting|uploads?|uploading|forwards?|forwarding|transmits?|transmitting|exfiltrates?|exfiltrating|leaks?|leaking|copies|copy|e-?mails?|ships?|pushes|reports?|beacons?|mirrors?|bcc)';
const AWAY = String.raw`(?:external|remote|attacker\S*|third[\s-]party|outside|another|our|my|collector|analytics|webhook|c2|https?:\/\/\S+|[\w.-]+@[\w.-]+\.\w+|\S+\.(?:evil|tld|example|com|net|org|io|ru|xyz)\S*)`;
/** Phrases by which secrets, or the tool's input, go to a third party. */
const SENT: readonly RegExp[] = [
  /\bexfiltrat\w+/gi,
  /\battacker\b/gi,
  new RegExp(String.raw`\b${SEND}\b[^.\n]{0,80}${SECRET}[^\n]{0,80}?\b(?:to|at|via)\s+(?:\w+\s+){0,3}?${AWAY}`, 'gi'),
  new RegExp(String.raw`${SECRET}[^\n]{0,60}\b${SEND}\b[^.\n]{0,60}\b(?:to|at|via)\s+(?:\w+\s+){0,3}?${AWAY}`, 'gi'),
  new RegExp(
    String.raw`\b(?:also|additionally|secretly|silently|quietly|covertly|then|and)\s+(?:\w+\s+)?${SEND}\b[^.\n]{0,60}\b(?:to|at|via)\s+(?:an?\s+|the\s+|our\s+|my\s+)?(?:\w+\s+)?(?:external|remote|third[\s-]party|analytics|attacker\S*|hidden|outside)\s+(?:\w+\s+)?(?:server|host|endpoint|service|address|url|collector|site|domain)`,
    'gi',
  ),
];

const READ =
  /\b(?:reads?|reading|opens?|cat|loads?|includes?|attach(?:es)?|pass(?:es)?|access(?:es)?|fetch(?:es)?|copies)\b[^.\n]{0,50}?(?:~\/\.(?:ssh|aws|gnupg|kube|cursor|config|netrc|npmrc|docker)\b[\w./-]*|id_rsa|id_ed25519|\.ssh\/\w+|\/etc\/(?:passwd|shadow)|\.cursor\/mcp\.json)/gi;

/** Returns a phrase by which a tool reads a key, if its name has nothing to do with keys. */
function secretReadIn(text: string, name: string): string | undefined {
  if (/ssh|aws|key|cred|secret|auth|kube|docker|config|vault|git|deploy|login|token|env/i.test(name)) return undefined;
  return firstIn(text, [READ]);
}

/** Returns a phrase that asks for a call of another server's tool. */
function namedIn(text: string, tool: MarkedTool, byName: ByName): string | undefined {
  for (const name of new Set(text.match(/[A-Za-z][\w-]{4,}/g))) {
    const named = byName.get(name) ?? [];
    const isOther = named.length > 0 && named.every(({ server }) => server !== tool.server);
    if (!isOther || !/[_-]|[a-z][A-Z]/.test(name)) continue;
    const calls = new RegExp(String.raw`\b${CALLS}\b[^.\n]{0,40}\b${name.replaceAll('-', '\\-')}\b`, 'i').exec(text);
    if (calls) return calls[0];
  }
  return undefined;
}

const CALLS = String.raw`(?:calls?|invokes?|runs?|use|execute|trigger|instead\s+of|before|after|replaces?|whenever)`;

/** Share of common words from which on two descriptions count as the same. */
const SAME = 0.7;

/**
 * Returns a tool of another server with the same name and nearly the same words. Two servers with more such names are
 * one product.
 */
function twinOf(tool: MarkedTool, byName: ByName): MarkedTool | undefined {
  const same = (byName.get(tool.name) ?? []).filter(({ server }) => server !== tool.server);
  return same.find((other) => isAlike(tool, other) && !isSameProduct(tool, other, byName));
}

function isSameProduct(a: MarkedTool, b: MarkedTool, byName: ByName): boolean {
  const isOf = (server: string) => (tool: MarkedTool) => tool.server === server;
  return [...byName].some(([name, same]) => name !== a.name && same.some(isOf(a.server)) && same.some(isOf(b.server)));
}

function isAlike(a: MarkedTool, b: MarkedTool): boolean {
  const [one, two] = [contentWords(a.description), contentWords(b.description)];
  const shared = [...one].filter((word) => two.has(word)).length;
  return one.size > 1 && shared / (one.size + two.size - shared) >= SAME;
}

function contentWords(text: string): ReadonlySet<string> {
  const words = text.toLowerCase().match(/\p{L}{2,}/gu) ?? [];
  return new Set(
    words.filter((word) => !/^(?:an?|the|of|to|in|on|for|and|or|by|with|from|via|is|it|this|that)$/.test(word)),
  );
}

/**
 * Every regular expression of ours that repeats something, each looked at: what does it cost on the worst text that anybody
 * can send it? JavaScript's engine goes back and tries again, so that a text can be made for many a pattern which takes the
 * square of its length, or worse, and holds VS Code up for minutes.
 *
 * A pattern is linear where, from one beginning, it goes over no character more than a few times (repetitions that follow each
 * other share no character, or what follows the last one always matches), and where what one attempt went over holds no
 * further beginning, unless the attempt succeeded. Anchored ones have one beginning. One that repeats nothing is always linear.
 */

/** Linear in the text. */
export const LINEAR: readonly RegExp[] = [
  /\btoolsearch\.[a-zA-Z]+(?:\.[a-zA-Z]+)?/g,
  /\s+/,
  /\\(?:ud[89a-f][0-9a-f]{2}|.)/g,
  /^\p{L}+$/u,
  /\s+/g,
  /[^\p{L}\p{N}]+/gu,
  /(?:^|[a-z])-?(\d{1,2})(?:[.-](\d{1,2}))?(?!\d)/,
  /^(?:MCP error|MPC) -?\d+: /,
  /^Error: [^\n]+\n?$/,
  /^\d*_/,
  /[^a-z0-9_.-]+/g,
  /^\S+$/,
  /^[A-Za-z0-9_-]{1,64}$/,
  /^[\s\S]*?(?:[.!?](?=\s|$)|\n\s*\n|$)/,
  /^\s*select:\s*(.*)$/is,
  /(^|\s)\+(\p{L}[^\s,;]*)/gu,
  /<[^<>\n]{1,60}>|https?:\/\/\S+|"[^"\n]{1,200}"|(?<![\p{L}\p{N}])'[^'\n]{1,200}'(?![\p{L}\p{N}])/gu,
  /^\d+$/,
  /\d+/g,
  /[A-Za-z0-9\u0080-\uffff]+/g,
  /^[A-Za-z]?[a-z0-9]*$/,
  /(?<!\S)(?:@(\S*)|is:(readonly))(?!\S)/giu,
  /^[\w/.-]*$/,
  /[_/.-]+/g,
  /\(\?>|[*+?}]\+/,
  /^[a-z]+$/,
  /[^\p{L}\p{M}\p{N}]+/gu,
  /^127\.\d+\.\d+\.\d+$/,
  /%[0-9A-F]{2}/g,
  /[^\p{L}]+/u,
  /^[a-z]{1,12}$/i,
  /:(.*)/s,
  /^([\w-]{1,100}):\s(.+)$/s,
  /^-{0,2}([\w.-]{1,100})=(.+)$/s,
  /^--?([\w.-]{1,100})$/,
  /^[\w+/=-]+$/,
  /[*?[{\\]/,
  /[\\`*_{}[\]()#+\-.!|<>~$:@&=^]/g,
  /[\\`*_[\]<>!|#$~&]/g,
  /`+/g,
  /[ \t\n\r]*/y,
  /[^ \t\n\r,\]}]+/y,
  /(?:sk|pk|rk)[-_][A-Za-z0-9_-]{16,}/y,
  /gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|glpat-[A-Za-z0-9_-]{16,}|xox[abeoprs]-[A-Za-z0-9-]{10,}/y,
  /npm_[A-Za-z0-9]{30,}|hf_[A-Za-z0-9]{20,}|AIza[A-Za-z0-9_-]{30,}|(?:AKIA|ASIA)[A-Z0-9]{16}|ya29\.[A-Za-z0-9_-]{20,}/y,
  /((?:bearer|basic)\s+)[A-Za-z0-9+/=._~-]{8,}/iy,
  /(:\/\/[^\s/@:"\\]{1,100}:)[^\s/@"\\]{1,200}(?=@)/g,
  /((?:api[_-]?key|access[_-]?key|secret|passw(?:or)?d|passphrase|token|credential)s?\\*"?\s*[:=]\s*\\*"?)(?!bearer\b|basic\b)[^\s"\\,;&}\]]{8,}/gi,
  /eyJ(?:[A-Za-z0-9_-]{8,}(\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*)?)?/y,
  /\\(?:[bfnrt]|u[0-9a-f]{4})$/,
  /(?:api[_-]?key|access[_-]?key|secret|passw(?:or)?d|passphrase|token|credential)s?(\\*)"\s*:\s*(\\*)"/gi,
  /-----END [A-Z ]*PRIVATE KEY-----/g,
  /-----BEGIN [A-Z ]*PRIVATE KEY(?=-----)/g,
  /\btools\.(\d+)\b(?!\.(?:type|function)\b)/,
  /\btools\.\d+(?:\.\w+)?\.defer_loading\b/,
  /\bsk-[\w*.-]{6,}/g,
  /\bsk-[\w*.-]+/g,
  /Invalid schema for function '([^']+)':?\s*(.*)/,
  /^tools\[(\d+)\](?:\.tools\[(\d+)\])?\.(?:name|description|parameters|strict|output_schema)\b/,
  /(^|\s)([A-Za-z_][\w.-]*)=("(?:[^"\\]|\\.)*"|'[^']*'|\S+)/g,
  /"([^"]*)"|“([^“”]*)”|'([^']*)'(?=\s|$)/g,
  /(?:^|\s)(-?\d+(?:\.\d+)?)(?=[\s,;?!]|\.?$)/g,
  /[\\`<>[\]*_|#]/g,
  /[\s`]+/g,
  /^[^\n\\`<>[\]*_|#{}]+$/,
  /^\s*(?:export\s+)?([A-Za-z_][\w.-]*)\s*=([\s\S]*)$/,
  /^(["'])([\s\S]*)\1(?:\s+#[\s\S]*)?$/,
  /^text\/|[/+](json|xml|yaml|javascript)\b/,
  /\$\{([^{}]*)\}/g,
  /\p{L}+/gu,
  /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{N}]+|\p{Lo}+/gu,
  /^calls:(>=|<=|>|<|=)?(\d+)$/,
  /\p{Lu}?[\p{Ll}\p{N}]+|[\p{L}\p{N}]+/gu,
  /\bscript:(\d+)(?::(\d+))?/,
  /^\s*[{[]/,
  /^\s*(?:import|export)\b/,
  /^[A-Za-z_$][\w$]*$/,
  /^(?:[\d.,:]*|[a-z]{1,12}|~|(?:~|\.{1,2})?[\\/].*|[a-z]:[\\/].*|[a-z][a-z0-9+.-]*:\/\/.*)$/i,
  /\n+/,
  /^\s*[{[]/,
  /"([^"\n]{1,200})"|`([^`\n]{1,200})`|(?<![\p{L}\p{N}])'([^'\n]{1,200})'(?![\p{L}\p{N}])/gu,
  /[\p{L}\p{M}\p{N}]+(?:[_\-./:]{1,2}[\p{L}\p{M}\p{N}]+)*/gu,
  /[_\-./:]+/g,
];

/** Not linear, on texts that have a limit: which. */
export const BOUNDED: readonly (readonly [pattern: RegExp, limit: string])[] = [
  [
    /\.[*+]|\\[wdsb]|\[[^\]\s]+\][*+?{]?|\S\|\S|\(\?[a-zA-Z:P]|^\^|[\p{L})\]*]\$$/u,
    'a query of at most 200 characters',
  ],
  [/\\[^1-9]|\[\^?\]?(?:\\.|[^\]\\])*\]/gs, 'a pattern of at most 200 characters'],
  [/\(\?#|\(\?[a-zA-Z]*x/, 'a pattern of at most 200 characters'],
  [/\bawait\s+$/, 'at most 160 characters of a line of code'],
  [/\btools\.\w+\.(?!(?:text|parts)\b)\w+\s*\(/, 'at most 320 characters of a line of code'],
  [/(?:\b(?:const|let|var)\s+[\w$]+|[({,;]\s*[\w$]+|[)}\]])\s*$/, 'at most 160 characters of a line of code'],
  [/\b(?:interface|type|enum|namespace|declare)\s+$/, 'at most 160 characters of a line of code'],
  [/\w<[\w\s,|]*>?\(?$/, 'at most 160 characters of a line of code'],
];

/** Those that are made from text, by the file that they stand in: of what, and why they are linear. */
export const MADE: readonly (readonly [file: string, why: string])[] = [
  [
    'src/core/util/plainText.ts',
    'of constants; parameters, marks and the last character of a sequence share no character, and none is ESC',
  ],
];

/**
 * What the stand-in can be told to do wrong, by `POST /__faults {"fault": "429", "times": 1}` or by a marker in the
 * newest prompt, `[[fault:429]]` (always) or `[[fault:429*2]]` (the first two requests with that prompt).
 *
 * `400` `401` `403` `413` `429` `500` `529`: that status with the service's own error. `retry` `wait`: 429 with
 * `retry-after` 0 or 30. `quota`: 429 without credit. `odd`: an error of a code that nobody knows. `html`: a page.
 * `reject:NAME`: the schema of the tool NAME is invalid, as long as it is sent. `notoolsearch`: the model has no tool
 * search. `regexonly`: of tool search the service knows the regex form alone. `nocode`: code can't call tools.
 * `noreturns`: functions have no schema of their results. `nocontainer`: all containers have expired. `timeout`: code
 * gives up on its calls. `quiet`: a program begins and neither calls nor says anything until it is asked to go on.
 * `nobinding`: no request may say what becomes of thinking whose prefix changed. `nochanges`: no tool joins in
 * mid-conversation. `compaction`: a block that comes in deltas of its own. `restart`: the stream begins again.
 * `halfprogram`: the response ends at its limit behind a program's calls. `stall`: silence in mid-stream. `cut`: the
 * connection ends in mid-block. `early`: the stream ends properly, but before its last events. `unknown`: blocks and
 * events of unknown types. `error`: an error event in mid-stream. `failed`: a response of OpenAI's that failed.
 * `searcherror`: the search fails. `pause`: the reply pauses in a search and wants to be taken up again. `late`: a
 * search's result comes with the next reply, since a tool in sight is called beside it. `refusal`: the model refuses.
 * `length`: the answer is cut off by its length limit. `twice`: two equal calls at once.
 */
export const FAULTS = [
  ...[
    '400',
    '401',
    '403',
    '413',
    '429',
    '500',
    '529',
    'retry',
    'wait',
    'quota',
    'odd',
    'html',
    'reject',
    'notoolsearch',
    'regexonly',
  ],
  ...['nocode', 'noreturns', 'nocontainer', 'timeout', 'quiet', 'stall', 'cut', 'early', 'unknown', 'error', 'failed'],
  ...['searcherror', 'pause', 'late', 'refusal', 'length', 'twice'],
  ...['nobinding', 'nochanges', 'compaction', 'restart', 'halfprogram'],
];
const MARKER = /\[\[fault:([^\]*]+)(?:\*(\d+))?\]\]/g;

export function createFaults() {
  /** @type {{fault: string, times: number}[]} */
  let told = [];
  const used = new Map();
  return {
    tell(fault, times = 1) {
      known(fault);
      told.push({ fault, times });
    },
    clear() {
      told = [];
      used.clear();
    },
    /** The faults for this request, told ones first; each counts as used. */
    take(prompt) {
      const taken = [];
      for (const entry of told) {
        if (entry.times > 0) taken.push(entry.fault);
        entry.times--;
      }
      for (const [marker, fault, times] of prompt.matchAll(MARKER)) {
        known(fault);
        const key = times === undefined ? marker : prompt;
        const count = used.get(key) ?? 0;
        used.set(key, count + 1);
        if (times === undefined || count < Number(times)) taken.push(fault);
      }
      return new Set(taken);
    },
  };
}

/** One that is in no list would be taken for one that changes nothing. */
function known(fault) {
  if (!FAULTS.includes(fault.split(':')[0]))
    throw new Error(`There is no fault '${fault}'. There is ${FAULTS.join(', ')}.`);
}

/** What follows `reject:` among the faults. */
export function rejectedTools(faults) {
  return [...faults].filter((fault) => fault.startsWith('reject:')).map((fault) => fault.slice('reject:'.length));
}

export const PAGE =
  '<!doctype html><html><head><title>Welcome</title></head><body><h1>This is not an API</h1></body></html>';

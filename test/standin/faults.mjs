/**
 * The faults that the stand-in can produce, on `POST /__faults {"fault": "429", "times": 1}` or a marker in the newest
 * prompt, `[[fault:429]]` (always) or `[[fault:429*2]]` (the first two requests with that prompt).
 * `400` `401` `403` `413` `429` `500` `529`: that status with the service's own error. `retry` `wait`: 429 with
 * `retry-after` 0 or 30. `quota`: 429 without credit. `odd`: an error with an unknown code. `html`: a page.
 * `reject:NAME`: the schema of the tool NAME is invalid, as long as it is sent. `notoolsearch`: the model has no tool
 * search. `regexonly`: the service knows only the regex form of tool search. `nocode`: code can't call tools.
 * `noreturns`: functions have no schema of their results. `nocontainer`: all containers have expired. `timeout`: code
 * gives up on its calls. `quiet`: a program begins, and neither calls nor writes anything until it is asked to
 * continue. `nobinding`: no request may choose the handling of thinking whose prefix changed. `nochanges`: no tool
 * joins in mid-conversation. `compaction`: a block that comes in deltas of its own. `restart`: the stream begins again.
 * `halfprogram`: the response ends at its limit after a program's calls. `stall`: silence in mid-stream. `cut`: the
 * connection ends in mid-block. `torn`: the connection ends after the first words of a text. `half`: it ends
 * after its first whole part. `early`: the stream ends properly, but before its last events. `unknown`: blocks and
 * events of unknown types. `error`: an error event in mid-stream. `failed`: a response of OpenAI's that failed.
 * `searcherror`: the search fails. `pause`: the reply pauses in a search and has to be continued by another request.
 * `late`: a search's result comes with the next reply, since an available tool is called beside it. `refusal`: the
 * model refuses. `length`: the answer is cut off by its length limit. `twice`: two equal calls at once.
 */
export const FAULTS = [
  ...'400 401 403 413 429 500 529 retry wait quota odd html reject notoolsearch regexonly'.split(' '),
  ...['nocode', 'noreturns', 'nocontainer', 'timeout', 'quiet', 'stall', 'cut', 'early', 'unknown', 'error', 'failed'],
  ...['searcherror', 'pause', 'late', 'refusal', 'length', 'twice', 'torn', 'half'],
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
    /**
     * The faults for this request: first the posted ones, then those of the prompt. Each counts as used. A request that
     * only counts tokens uses up none of the prompt.
     */
    take(prompt, onlyCounts = false) {
      const taken = [];
      for (const entry of told) {
        if (entry.times > 0) taken.push(entry.fault);
        entry.times--;
      }
      for (const [marker, fault, times] of prompt.matchAll(MARKER)) {
        known(fault);
        if (onlyCounts && times !== undefined) continue;
        const key = times === undefined ? marker : prompt;
        const count = used.get(key) ?? 0;
        used.set(key, count + 1);
        if (times === undefined || count < Number(times)) taken.push(fault);
      }
      return new Set(taken);
    },
  };
}

/** Rejects unknown faults. Otherwise a misspelt fault would silently do nothing. */
function known(fault) {
  if (!FAULTS.includes(fault.split(':')[0]))
    throw new Error(`There is no fault '${fault}'. There is ${FAULTS.join(', ')}.`);
}

/** The tool names after `reject:` among the faults. */
export function rejectedTools(faults) {
  return [...faults].filter((fault) => fault.startsWith('reject:')).map((fault) => fault.slice('reject:'.length));
}

export const PAGE =
  '<!doctype html><html><head><title>Welcome</title></head><body><h1>This is not an API</h1></body></html>';

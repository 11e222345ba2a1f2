/**
 * The code that runs in the engine before a script. It defines the script's globals and converts values to text. It
 * stores all built-ins that it uses before the script runs, so a script that changes Promise or JSON harms only itself.
 * The code is one expression: a function of four host functions, which take texts. It returns the functions that the
 * engine calls.
 */
export const PRELUDE = `((ask, log, end, local) => {
  'use strict';
  const { parse, stringify } = JSON;
  const { apply } = Reflect;
  const { defineProperty } = Object;
  const { isArray, from } = Array;
  const [ErrorOf, TypeErrorOf, RangeErrorOf, PromiseOf, ProxyOf, StringOf, NumberOf, RegExpOf] = [Error, TypeError, RangeError, Promise, Proxy, String, Number, RegExp];
  const lists = [Map, Set, Iterator];
  const { isView } = ArrayBuffer;
  const InternalErrorOf = InternalError;
  const { then } = PromiseOf.prototype;
  const { species } = Symbol;
  const { slice } = StringOf.prototype;
  const { every } = Array.prototype;
  const isMissing = (value) => value === undefined;
  const cut = (text, length) => apply(slice, text, [0, length]);
  const MAX_MESSAGE = 10000;
  const MAX_NAME = 128;
  const MAX_MISSING = 8;
  const MAX_OUT = 1900000;

  class ToolError extends ErrorOf {
    constructor(message, { tool, outcome } = {}) {
      super(message);
      this.tool = tool;
      this.outcome = outcome;
    }
  }
  defineProperty(ToolError.prototype, 'name', { value: 'ToolError', configurable: true, writable: true });

  // Values that JSON would lose.
  const whole = (_key, value) => {
    if (typeof value === 'bigint' || (typeof value === 'number' && value - value !== 0)) return StringOf(value);
    if (typeof value !== 'object' || value === null) return value;
    if (isView(value)) return from(value);
    for (let i = 0; i < lists.length; i++) if (value instanceof lists[i]) return from(value);
    if (value instanceof ErrorOf || value instanceof RegExpOf) return StringOf(value);
    return value instanceof PromiseOf ? '[a promise: await it]' : value;
  };

  // How often a field was undefined, and 0 if it ever wasn't.
  const missed = { __proto__: null };
  const miss = (name) => {
    if (missed[name] !== 0) missed[name] = (missed[name] ?? 0) + 1;
  };
  // JSON leaves undefined fields out, and writes undefined items as null.
  const noted = function (key, value) {
    if (isArray(value) && value.length > 0 && apply(every, value, [isMissing])) miss('every item' + (key === '' ? '' : ' of ' + key));
    if (!isArray(this)) {
      if (value !== undefined) missed[key] = 0;
      else miss(key);
    }
    return whole(key, value);
  };

  // A tool must not get the text for a promise in place of its value.
  const awaited = (key, value) => {
    if (value instanceof PromiseOf) throw new TypeErrorOf('"' + key + '" is a promise: await it first.');
    return whole(key, value);
  };

  const words = (value, replace = whole) => {
    if (typeof value === 'string') return value;
    if (value === null || typeof value !== 'object') return StringOf(value);
    try {
      const plain = whole('', value);
      return typeof plain === 'string' ? plain : (stringify(plain, replace) ?? StringOf(value));
    } catch (error) {
      try {
        return '[' + StringOf(error.message) + ']';
      } catch {
        return '[not to be read]';
      }
    }
  };

  // The promise of an answer. await, Promise.all and return call its then.
  const unheard = { __proto__: null };
  class Answer extends PromiseOf {
    static get [species]() {
      return PromiseOf;
    }
    then(...handlers) {
      delete unheard[this.id];
      return apply(then, this, handlers);
    }
  }

  let asked = 0;
  const waiting = { __proto__: null };
  const request = (what) => {
    // Made here, at the script's call: after a wait the place is lost.
    const { stack } = new ErrorOf();
    const id = ++asked;
    // No prototype: a toJSON that the script gives to all objects would write requests of its own.
    const text = stringify({ __proto__: null, ...what, id }, awaited);
    if (text.length > MAX_OUT) throw new TypeErrorOf('These arguments are too long: ' + text.length + ' characters as JSON, ' + MAX_OUT + ' at the most.');
    const answer = new Answer((resolve, reject) => {
      waiting[id] = { resolve, reject, stack, what };
    });
    defineProperty(answer, 'id', { value: id });
    unheard[id] = what;
    ask(text);
    return answer;
  };

  const deliver = (id, kind, text) => {
    const open = waiting[id];
    if (!open) return;
    delete waiting[id];
    if (kind === 'text') return open.resolve(text);
    if (kind === 'json' || kind === 'either') {
      let value;
      try {
        value = parse(text);
      } catch (error) {
        return kind === 'either' ? open.resolve(text) : open.reject(error);
      }
      return open.resolve(value);
    }
    const { message, tool, outcome } = parse(text);
    const error = tool === undefined ? new ErrorOf(message) : new ToolError(message, { tool, outcome });
    defineProperty(error, 'stack', { value: open.stack, configurable: true, writable: true });
    open.reject(error);
  };

  // Infinity and NaN are no JSON.
  const bounded = (value) => {
    const number = NumberOf(value);
    return number > 1e9 ? 1e9 : number > 0 ? number : 0;
  };
  const nameOf = (name) => cut(StringOf(name), MAX_NAME);
  const call = (name, form, args) => request({ op: 'call', name: nameOf(name), form, args });
  const NOT_LISTED = 'tools has no list: await search("what it should do") finds them.';
  const known = { __proto__: null };
  const tools = new ProxyOf(
    { __proto__: null },
    {
      get(_target, name) {
        // A promise is what has a then; a function of that name would make tools one.
        if (typeof name !== 'string' || name === 'then' || name === 'toJSON') return undefined;
        if (known[name] === undefined) {
          const tool = (args) => call(name, 'value', args);
          tool.text = (args) => call(name, 'text', args);
          tool.parts = (args) => call(name, 'parts', args);
          known[name] = tool;
        }
        return known[name];
      },
      set() {
        throw new TypeErrorOf('tools cannot be changed.');
      },
      ownKeys() {
        throw new TypeErrorOf(NOT_LISTED);
      },
    },
  );

  const define = (name, value) => defineProperty(globalThis, name, { value, writable: true, configurable: true });
  define('tools', tools);
  define('search', (query, options) => {
    if (query === undefined || (typeof query === 'object' && !isArray(query)))
      throw new TypeErrorOf('search takes words: await search("create issue").');
    const { limit, server } = options ?? {};
    return request({
      op: 'search',
      query: StringOf(query),
      ...(limit == null ? {} : { limit: bounded(limit) }),
      ...(server == null ? {} : { server: nameOf(server) }),
    });
  });
  define('describe', (name) => request({ op: 'describe', name: nameOf(typeof name === 'object' && name ? name.name : name) }));
  const idOf = (id) => nameOf(typeof id === 'object' && id ? id.id : id);
  define('results', { get: (id) => request({ op: 'get', result: idOf(id) }), list: () => request({ op: 'list' }) });
  define('show', (id) => request({ op: 'show', result: idOf(id) }));
  define('ToolError', ToolError);

  const sleep = (ms) => request({ op: 'sleep', ms: bounded(ms) });
  define('sleep', sleep);
  let timers = 0;
  const running = { __proto__: null };
  define('setTimeout', (work, ms, ...args) => {
    const id = ++timers;
    running[id] = true;
    apply(then, sleep(ms), [
      () => {
        if (running[id]) work(...args);
        delete running[id];
      },
    ]);
    return id;
  });
  define('clearTimeout', (id) => {
    delete running[id];
  });

  // The engine ignores locales, time zones and options.
  const localized = (form, value, locales, options) => {
    const text = local(stringify({ __proto__: null, form, value: StringOf(value), locales, options }));
    if (text[0] === '!') throw new RangeErrorOf(apply(slice, text, [1, MAX_MESSAGE]));
    return text;
  };
  const method = (of, name, form) =>
    defineProperty(of.prototype, name, {
      value: function (locales, options) {
        return localized(form, NumberOf(this), locales, options);
      },
      writable: true,
      configurable: true,
    });
  for (const name of ['toLocaleString', 'toLocaleDateString', 'toLocaleTimeString']) method(Date, name, name);
  method(NumberOf, 'toLocaleString', 'number');
  const { now } = Date;
  const format = (form) =>
    function (locales, options) {
      return {
        format: (value = now()) => localized(form, NumberOf(value), locales, options),
        resolvedOptions: () => ({ locale: 'en-US', timeZone: 'UTC', ...options }),
      };
    };
  define('Intl', { DateTimeFormat: format('date'), NumberFormat: format('number') });

  const print = (...values) => {
    let line = '';
    for (let i = 0; i < values.length; i++) line += (i === 0 ? '' : ' ') + words(values[i], noted);
    log(line.length > MAX_OUT ? cut(line, MAX_OUT) + '… [the first ' + MAX_OUT + ' of ' + line.length + ' characters]' : line);
  };
  // The engine's own throws out of the script.
  define('queueMicrotask', (work) => {
    apply(then, new PromiseOf((resolve) => resolve()), [() => work()]);
  });

  define('console', { log: print, info: print, warn: print, error: print, debug: print, table: print, dir: print });
  for (const name of ['Atomics', 'SharedArrayBuffer']) delete globalThis[name];

  // As in requests: nothing of ours has the prototype of the script's objects.
  const endWith = (value) => end(stringify({ __proto__: null, value: { __proto__: null, ...value }, faults: faults() }));
  const failWith = (error) => end(stringify({ __proto__: null, error: { __proto__: null, ...error }, faults: faults() }));
  // Names with their number: calls that nothing waits for, calls that still run, fields that are undefined everywhere.
  const faults = () => {
    const [unheardCalls, open, missing] = [{ __proto__: null }, { __proto__: null }, { __proto__: null }];
    const add = (all, { op, name }) => {
      const called = op === 'call' ? name : op === 'get' || op === 'list' ? 'results.' + op : op;
      if (op !== 'sleep') all[called] = (all[called] ?? 0) + 1;
    };
    for (const id in unheard) add(unheardCalls, unheard[id]);
    for (const id in waiting) if (unheard[id] === undefined) add(open, waiting[id].what);
    let left = MAX_MISSING;
    for (const key in missed) if (missed[key] > 0 && left-- > 0) missing[cut(key, MAX_NAME)] = missed[key];
    return { __proto__: null, unheard: unheardCalls, open, missing };
  };
  const returned = (value) => {
    if (value === undefined) return endWith({ type: 'nothing' });
    if (typeof value === 'symbol') return endWith({ type: 'text', text: StringOf(value) });
    if (typeof value === 'function') return endWith({ type: 'text', text: '[a function]' });
    const isText = typeof value === 'string';
    let text;
    try {
      text = isText ? value : stringify(value, noted);
    } catch (error) {
      const message = 'What the script returned cannot be written as JSON: ' + words(error.message);
      return failWith({ name: error instanceof InternalErrorOf ? 'InternalError' : 'TypeError', message, stack: '' });
    }
    if (text === undefined) return endWith({ type: 'nothing' });
    if (text.length > MAX_OUT) {
      const message = 'The script returned ' + text.length + ' characters, more than ' + MAX_OUT + '. Return less.';
      return failWith({ name: 'RangeError', message, stack: '' });
    }
    endWith({ type: isText ? 'text' : 'json', text });
  };

  const read = (error) => {
    try {
      if (typeof error !== 'object' || error === null || !('message' in error))
        return { __proto__: null, name: '', message: cut('The script threw ' + words(error), MAX_MESSAGE), stack: '' };
      const { name, message, stack, tool, errors } = error;
      let said = words(message);
      // The error of Promise.any has no message of its own.
      if (isArray(errors))
        for (let i = 0; i < errors.length && said.length < MAX_MESSAGE; i++) said += (said === '' ? '' : ' · ') + words(errors[i]);
      return {
        __proto__: null,
        name: cut(words(name ?? 'Error'), MAX_NAME),
        message: cut(said, MAX_MESSAGE),
        stack: typeof stack === 'string' ? stack : '',
        ...(error instanceof ToolError && typeof tool === 'string' ? { tool } : {}),
      };
    } catch {
      return { __proto__: null, name: 'Error', message: 'An error that cannot be read.', stack: '' };
    }
  };

  return {
    deliver,
    // The error as text, for what nothing awaited.
    read: (error) => stringify(read(error)),
    // isScript: the value is in an object, since the engine wraps the value of a script's last statement.
    settle: (promise, isScript) => {
      const failed = (error) => failWith(read(error));
      const whenDone = (result) => {
        const value = isScript ? result.value : result;
        // A function is called; the promise of a script's last line is waited for.
        const settled = new PromiseOf((resolve) => resolve(typeof value === 'function' ? value() : value));
        return apply(then, settled, [returned, failed]);
      };
      apply(then, apply(then, promise, [whenDone]), [undefined, failed]);
    },
  };
})`;

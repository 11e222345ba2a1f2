import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT } from '../test/vscode/harness/paths.mjs';
import { UserError } from '../test/vscode/harness/say.mjs';

/** Parses the command line. A mistake in it becomes one sentence that names the mistake and points to `--help`. */
export function parseOptions(options, args = process.argv.slice(2)) {
  try {
    return parseArgs({ args, options, strict: true, allowPositionals: false }).values;
  } catch (error) {
    throw new UserError(`${error.message.split('. ')[0]}. --help lists the options.`);
  }
}

export const MANIFEST = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'));
const OWN_SETTINGS = Object.assign({}, ...MANIFEST.contributes.configuration.map(({ properties }) => properties));

/** Turns `key=value` pairs into settings. A value that isn't JSON is a string. */
export function parseSettings(pairs = []) {
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=');
      if (at < 1)
        throw new UserError(`--setting needs key=value, as in --setting toolsearch.strategy=regex; it got '${pair}'.`);
      const key = pair.slice(0, at);
      if (key.startsWith('toolsearch.') && !(key in OWN_SETTINGS)) {
        throw new UserError(`--setting: there is no ${key}. There is ${Object.keys(OWN_SETTINGS).join(', ')}.`);
      }
      return [key, parseValue(pair.slice(at + 1))];
    }),
  );
}

function parseValue(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** A port number, or undefined if none was given. */
export function parsePort(text) {
  if (text === undefined) return undefined;
  const port = Number(text);
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw new UserError(`--port needs a number from 1 to 65535; it got '${text}'.`);
  return port;
}

// Replaces the variables in a server's command or address, and learns the secrets in it.

import path from 'node:path';
import { l10n } from '../../../core/util/l10n';
import { messageOf } from '../../../core/util/messageOf';
import type { Launch } from './definition';
import { parseEnvFile } from './envFile';
import { inherited } from './serverEnvironment';
import { ServerFailure } from './serverFailure';
import { resolveText, type ValueKind, type VariableContext } from './variables';

/** A command or an address with all variables replaced. It may contain secrets, so it must not be stored. */
export type Target =
  | {
      readonly kind: 'stdio';
      readonly command: string;
      readonly args: readonly string[];
      readonly cwd: string;
      readonly env: { readonly [name: string]: string };
    }
  | {
      readonly kind: 'http';
      readonly url: URL;
      readonly headers: { readonly [name: string]: string };
      readonly sseOnly: boolean;
    };

/** Replaces the variables and adds the environment. Rejects with a {@link ServerFailure} that names the problem. */
export async function resolveTarget(
  launch: Launch,
  context: VariableContext,
  readText: (file: string) => Promise<string>,
): Promise<Target> {
  const resolve = (text: string) => resolveText(text, context);
  if (launch.kind === 'http') {
    const text = await resolve(launch.url);
    context.learn('url', text, 'address');
    const url = URL.canParse(text) ? new URL(text) : undefined;
    if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
      throw new ServerFailure(l10n.t('Its "url" isn\'t an address that begins with http:// or https://.'));
    const headers: { [name: string]: string } = {};
    for (const [name, value] of Object.entries(launch.headers)) headers[name] = await resolve(value);
    for (const [name, value] of Object.entries(headers)) context.learn(name, value, 'header');
    return { kind: 'http', url, headers, sseOnly: launch.sseOnly };
  }
  const start = context.folder ?? context.home;
  const cwd = path.resolve(start, launch.cwd === undefined ? '' : await resolve(launch.cwd));
  const fromFile = await variablesInFile(launch, context, readText);
  const own: { [name: string]: string } = {};
  for (const [name, value] of Object.entries(launch.env)) if (value !== null) own[name] = await resolve(value);
  for (const [name, value] of Object.entries(fromFile)) context.learn(name, value, 'variable');
  for (const [name, value] of Object.entries(own)) context.learn(name, value, 'environment');
  const args: string[] = [];
  // One after another: once the user has declined an input, nothing else may ask for it.
  for (const arg of launch.args) args.push(await resolve(arg));
  context.learnArguments(args);
  const merged = Object.entries({ ...inherited(context.env), ...fromFile, ...own });
  return {
    kind: 'stdio',
    command: await resolve(launch.command),
    args,
    cwd,
    env: Object.fromEntries(merged.filter(([name]) => launch.env[name] !== null)),
  };
}

/** Learns the secrets, like {@link resolveTarget}. Values that can't be resolved are skipped. Never rejects. */
export async function learnLaunch(
  launch: Launch,
  context: VariableContext,
  readText: (file: string) => Promise<string>,
): Promise<void> {
  const resolve = (text: string) => resolveText(text, context).catch(() => '');
  const learnAll = async (table: { readonly [name: string]: string | null }, as: ValueKind) => {
    for (const [name, value] of Object.entries(table))
      if (value !== null) context.learn(name, await resolve(value), as);
  };
  if (launch.kind === 'http') {
    context.learn('url', await resolve(launch.url), 'address');
    return learnAll(launch.headers, 'header');
  }
  context.learnArguments(await Promise.all(launch.args.map(resolve)));
  await learnAll(launch.env, 'environment');
  await learnAll(await variablesInFile(launch, context, readText).catch(() => ({})), 'variable');
}

/** Returns the variables in the `envFile` of a command. Rejects with a {@link ServerFailure} if it can't be read. */
export async function variablesInFile(
  launch: Launch,
  context: VariableContext,
  readText: (file: string) => Promise<string>,
): Promise<{ readonly [name: string]: string }> {
  if (launch.kind === 'http' || launch.envFile === undefined) return {};
  const file = path.resolve(context.folder ?? context.home, await resolveText(launch.envFile, context));
  try {
    return parseEnvFile(await readText(file));
  } catch (error) {
    throw new ServerFailure(l10n.t('Its "envFile" {0} can’t be read: {1}', file, messageOf(error)));
  }
}

import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { KnownSecrets } from '../../../../../src/core/util/knownSecrets';
import type { DefinedServer } from '../../../../../src/tools/mcp/config/definition';
import { learnEntry } from '../../../../../src/tools/mcp/connection/connectServer';
import { makeFolder } from '../../../folder';

async function hiddenOf(value: DefinedServer['value'], texts: readonly string[]): Promise<readonly string[]> {
  const secrets = new KnownSecrets();
  const folder = makeFolder();
  writeFileSync(path.join(folder, '.env'), 'FROM_FILE=planted-in-file-1\n');
  writeFileSync(path.join(folder, 'large'), `FROM_FILE=planted-in-file-1\n${'#'.repeat(1_000_000)}`);
  if (process.platform !== 'win32') execFileSync('mkfifo', [path.join(folder, 'pipe')]);
  const env = { PLANTED: 'planted-in-environment-2', PLAIN_USER: 'me' };
  const deps = { folders: () => new Map(), home: folder, env, secrets };
  await learnEntry(deps, { name: 'x', inputs: [], file: 'file:///mcp.json', folder, value });
  return texts.filter((text) => secrets.redact(text) !== text);
}

it('learns an entry’s secrets, whoever runs it, but no prompts', async () => {
  const stdio = {
    command: 'node',
    args: ['${env:PLANTED}', '--user', '${env:PLAIN_USER}', '--token', 'planted-in-arguments-3', '${input:a}'],
    env: { API_KEY: 'planted-in-env-4', OTHER_KEY: '${input:a}', MODE: 'production-mode' },
    envFile: '.env',
  };
  const told = ['planted-in-file-1', 'planted-in-environment-2', 'planted-in-arguments-3', 'planted-in-env-4'];
  expect(await hiddenOf(stdio, [...told, 'me', 'production-mode'])).toEqual(told);
  const http = {
    url: 'https://host/mcp?key=planted-in-address-5',
    headers: { Authorization: 'Bearer ${input:a}', 'X-Key': 'planted-in-header-6', 'X-Other': '${env:PLANTED}' },
  };
  const sent = ['planted-in-environment-2', 'planted-in-address-5', 'planted-in-header-6'];
  expect(await hiddenOf(http, [...sent, 'Bearer', 'https://host/mcp'])).toEqual(sent);
});

it.each([
  { command: 3 },
  { command: 'x', envFile: 'none' },
  { command: 'x', envFile: 'large' },
  { command: 'x', envFile: 'pipe' },
  { url: '${nope}' },
  {},
])('learns nothing from %j, without an error', async (value) => {
  expect(await hiddenOf(value, ['planted-in-file-1'])).toEqual([]);
});

import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { KnownSecrets } from '../../../../src/core/util/knownSecrets';
import type { DefinedServer } from '../../../../src/tools/mcp/config/definition';
import { createInputStore, createMcpDeps } from '../../../../src/tools/vscode/mcpDeps';
import { makeFolder } from '../../folder';
import { Memento } from '../../shim/basics';
import { host, resetHost } from '../../shim/host';

let folder: string;
beforeEach(() => {
  resetHost();
  folder = makeFolder();
});

it('a first start shows the variables of the server’s file', async () => {
  writeFileSync(path.join(folder, '.env'), 'export NODE_OPTIONS="-r ./x.js" # quick\n');
  const details: string[] = [];
  host.press = (_message, [start], detail) => {
    details.push(detail);
    return start;
  };
  const secrets = new KnownSecrets();
  const { user } = createMcpDeps({
    answers: { inputs: createInputStore(host.secrets, () => {}), starts: new Memento() },
    secrets,
  } as unknown as Parameters<typeof createMcpDeps>[0]);
  const server: DefinedServer = {
    ...{ name: 'db', value: { command: 'a', envFile: '.env' }, inputs: [], file: 'file:///a', label: '.mcp.json' },
    ...{ asksFirst: true, folder },
  };
  expect(await user.allow(server, new AbortController().signal)).toBe(true);
  expect(await user.allow({ ...server, asksFirst: false }, new AbortController().signal)).toBe(true);
  expect(details).toEqual(['db (.mcp.json)\na\nwith the variables in .env\nNODE_OPTIONS=-r ./x.js']);
});

import { expect, it } from 'vitest';
import {
  learnAddress,
  learnArguments,
  learnHeader,
  learnNamed,
  learnValue,
} from '../../../../../src/tools/mcp/config/secretValues';

function learned(
  learn: typeof learnHeader | typeof learnNamed | typeof learnValue,
  name: string,
  value: string,
): readonly string[] {
  const secrets: string[] = [];
  learn(name, value, { add: (secret) => secrets.push(secret) });
  return secrets;
}

it.each([
  ['GITHUB_TOKEN', 'abcdef'],
  ['AWS_SECRET_ACCESS_KEY', '/abc+def/ghi'],
  ['ACCESS_KEY_ID', 'AKIA1234'],
  ['WHATEVER', 'x7f-99c-secretly'],
  ['FROM_FILE', 'x7f-99c-secretly'],
])('takes the variable %s for a secret', (name, value) => expect(learned(learnValue, name, value)).toEqual([value]));

it.each([
  ['HOME', '/home/me'],
  ['CONFIG_FILE', 'config.local.json'],
  ['PROJECTS', '/home/me/projects'],
  ['TOOLS', 'C:\\tools'],
  ['DB_HOST', 'db-1.example.com'],
  ['GITHUB_OWNER', 'some-owner-1'],
  ['KEYCLOAK_URL', 'https://login.example.com/realm'],
  ['GIT_AUTHOR_NAME', 'Some One'],
  ['RETRIES', '100000'],
  ['MODE_OF_WORK', 'production'],
])('takes the variable %s for none: results would become useless', (name, value) => {
  expect(learned(learnValue, name, value)).toEqual([]);
});

it('takes the password out of an address, whatever it is called', () => {
  expect(learned(learnValue, 'DATABASE_URL', 'postgres://me:p%40ssword@db.example.com/x')).toEqual([
    'p%40ssword',
    'p@ssword',
  ]);
});

it('takes values in mcp.json for secrets if their names say so', () => {
  expect(learned(learnNamed, 'API_KEY', 'k-123456')).toEqual(['k-123456']);
  expect(learned(learnNamed, 'GREETING', 'k-123456')).toEqual([]);
});

it('takes a credential header for a secret, with and without scheme', () => {
  expect(learned(learnHeader, 'Authorization', 'Bearer abc-123-def')).toEqual(['abc-123-def', 'Bearer abc-123-def']);
  expect(learned(learnHeader, 'X-Api-Key', 'abc-123-def')).toEqual(['abc-123-def']);
  expect(learned(learnHeader, 'X-Team', 'Basic dGVhbTpwYXNz')).toEqual(['dGVhbTpwYXNz', 'pass']);
  expect(learned(learnHeader, 'Accept', 'text/event-stream')).toEqual([]);
});

it('takes no scheme for a secret if its variable is empty', () => {
  expect(learned(learnHeader, 'Authorization', 'Bearer ')).toEqual([]);
});

it.each([
  ['KEYCLOAK_REALM', 'master', []],
  ['AUTH', 'none', []],
  ['DB_PASSWORD', 'sunshine', ['sunshine']],
])('takes a word for a secret only if it’s unmistakable: %s', (name, value, secrets) => {
  expect(learned(learnNamed, name, value)).toEqual(secrets);
});

it.each([
  ['https://host/mcp?api_key=abc123&region=eu&page_token=', ['abc123']],
  ['https://me:pass-1@host/mcp', ['pass-1']],
  ['https://ghp_0123456789abcdefghij@host/mcp', ['ghp_0123456789abcdefghij']],
  ['https://me@host/mcp', []],
  ['https://host/api/mcp/s/Zx81kQ0aTt93LmPw27RbYc/mcp', []],
  ['https://host/api/mcp/s/Zx81kQ0aTt93LmPw27RbYc5e/mcp', ['Zx81kQ0aTt93LmPw27RbYc5e']],
  ['https://host/OurOrganization2024/MyVeryLongRepositoryName2/0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0/v1.27.3', []],
  ['nonsense://', []],
])('takes out of the address %s what is secret in it', (address, secrets) => {
  const found: string[] = [];
  learnAddress(address, { add: (secret) => found.push(secret) });
  expect([...new Set(found)]).toEqual(secrets);
});

it.each([
  [
    ['--api-key', 'k-1', '--verbose', '--token=t-2', '-v'],
    ['k-1', 't-2'],
  ],
  [['run', '-e', 'GITHUB_TOKEN=t-3', '-e', 'LANG=de', 'image'], ['t-3']],
  [
    ['--header', 'Authorization: Bearer t-4', '--header', 'Accept: text/plain'],
    ['t-4', 'Bearer t-4'],
  ],
  [
    ['postgres://me:p-5@db/x', '--dsn', 'mysql://me:p-6@db/x'],
    ['p-5', 'p-6'],
  ],
  [['--auth', 'none', '--session-file', '/tmp/x', '--token-limit', '100', '--key', '--quiet', 'C:\\token: x'], []],
])('removes what the arguments %j say to be a secret', (args, secrets) => {
  const found: string[] = [];
  learnArguments(args, { add: (secret) => found.push(secret) });
  expect([...new Set(found)]).toEqual(secrets);
});

import { expect, it } from 'vitest';
import {
  learnAddress,
  learnArguments,
  learnHeader,
  learnNamed,
  learnValue,
} from '../../../../../src/tools/mcp/config/secretValues';

const NAMES =
  `GITHUB_TOKEN AWS_SECRET_ACCESS_KEY ACCESS_KEY_ID SECRET_ID CLIENT_ID API_KEY apikey api-key KEY KEYCLOAK_URL
KEYCLOAK_REALM AUTH OAUTH_CODE GIT_AUTHOR_NAME AUTHORITY Authorization DB_PASSWORD passwd PASSPHRASE pwd Cookie SESSION
SIGNATURE pat MY_PAT PATTERN SENTRY_DSN CREDENTIALS HOME CONFIG_FILE TMPDIR PROJECTS TOOLS DB_HOST GITHUB_OWNER LANG USER
USERNAME RETRIES MODE_OF_WORK MODE WHATEVER COMPAT AUTHOR_TEXT`.split(/\s/);
const HEADERS = ['Authorization', 'X-Api-Key', 'Cookie', 'X-Team', 'Accept'];
const VALUES = [
  ...['x7f-99c-secretly', 'production', 'a word', '100000', '1.2:3,4', '', 'Bearer abc-123', 'Bearer ', 'Key k-1 2'],
  ...['Basic bWU6cGFzcy0x', 'Basic no_text!', '/home/me', '~/x', '~', '../x', '/abc+def/ghi', 'C:\\tools', 'c:/tools'],
  ...['config.local.json', 'https://login.example.com/realm'],
];
const ADDRESSES = [
  'postgres://me:p%40ssword@db.example.com/x',
  ...['https://host/mcp?api_key=abc123&region=eu&page_token=', 'https://me:pass-1@host/mcp', 'https://me@host/mcp'],
  ...['https://ghp_0123456789abcdefghij@host/mcp', 'https://host/api/mcp/s/Zx81kQ0aTt93LmPw27RbYc/mcp', 'nonsense://'],
  ...['https://host/api/mcp/s/Zx81kQ0aTt93LmPw27RbYc5e/mcp', 'https://host/mcp?mode=x7f-99c-secretly#token=t-1'],
  'https://host/OurOrganization2024/MyVeryLongRepositoryName2/0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0/v1.27.3',
  'jdbc:postgresql://db.example.com/x?password=pass-1',
];
const ARGUMENTS = [
  '--api-key|k-1|--verbose|--token=t-2|-v',
  'run|-e|GITHUB_TOKEN=t-3|-e|LANG=de|image',
  '--header|Authorization: Bearer t-4|--header|Accept: text/plain|-H|X-Key:t-5',
  'postgres://me:p-5@db/x|--dsn|mysql://me:p-6@db/x',
  '--auth|none|--session-file|/tmp/x|--token-limit|100|--key|--quiet|C:\\token: x|token|t-7|--token',
  '-token|t-8|---token|t-9|--pass word|t-10|--password=|--secret=a=b',
];

/** Returns what a function learns, each secret once. */
function learned(learn: (secrets: { add(secret: string): void }) => unknown): readonly string[] {
  const secrets = new Set<string>();
  learn({ add: (secret) => secrets.add(secret) });
  return [...secrets];
}

it('secrets are told from other values as the file says', async () => {
  const told: string[] = [];
  for (const [learn, names] of [
    [learnNamed, NAMES],
    [learnValue, NAMES],
    [learnHeader, HEADERS],
  ] as const)
    for (const name of names) {
      told.push(`${learn.name} ${name}`);
      for (const value of VALUES) {
        const secrets = learned((it) => learn(name, value, it));
        if (secrets.length > 0) told[told.length - 1] += ` | ${secrets[0] === value ? value : `${value} → ${secrets}`}`;
      }
    }
  for (const address of ADDRESSES)
    told.push(
      `${address} → ${learned((it) => learnAddress(address, it))}`,
      `  ${learned((it) => learnValue('WHATEVER', address, it))}`,
    );
  for (const args of ARGUMENTS)
    told.push(`${args} → ${learned((it) => learnArguments(args.split('|'), it)).join(' | ')}`);
  await expect(`${told.map((line) => line.trimEnd()).join('\n')}\n`).toMatchFileSnapshot('secretValues.txt');
});

import { describe, expect, it } from 'vitest';
import { sharedNames } from '../../../src/tools/configuredServer';
import { type ListedTool, toolOrigin } from '../../../src/tools/toolOrigin';

const mcp = (name: string, fullReferenceName?: string): ListedTool => ({
  name,
  description: '',
  inputSchema: {},
  tags: ['mcp'],
  ...(fullReferenceName ? { fullReferenceName } : {}),
});

describe('toolOrigin', () => {
  it('gives tools without the tag to VS Code', () => {
    expect(toolOrigin({ ...mcp('run_in_terminal'), tags: ['vscode'] }, ['run'])).toEqual({
      server: 'vscode',
      name: 'run_in_terminal',
      origin: 'vscode',
    });
  });

  it.each([
    ['mcp_weather_srv_get_weather', 'my-weather/get_weather', ['My Weather', 'other'], 'My Weather', 'get_weather'],
    ['mcp_x_echo', 'user-server/echo', [], 'user-server', 'echo'],
    ['mcp_x_echo', 'org/server/echo', [], 'org/server', 'echo'],
    ['mcp_x_a_b', 'org/server/a/b', ['org', 'org/server'], 'org/server', 'a/b'],
  ])('takes %s from its reference %s, and the configured %j', (listed, reference, configured, server, name) =>
    expect(toolOrigin(mcp(listed, reference), configured)).toMatchObject({ server, name, origin: 'mcp' }),
  );

  it.each([
    ['mcp_weather_srv_get_weather', ['weather', 'weather-srv'], 'weather', 'srv_get_weather'],
    ['mcp_weather_srv_get_weather', ['Weather Srv', 'weather'], 'Weather Srv', 'get_weather'],
    ['mcp_weather2_echo', ['weather'], 'weather', 'echo'],
    ['mcp_a_very_long_s_echo', ['a very long server name'], 'a very long server name', 'echo'],
    ['mcp_files_read_file', ['github'], 'files', 'read_file'],
    ['odd', [], 'mcp', 'odd'],
    ['mcp_x_', [], 'mcp', 'x_'],
  ])('falls back on the prefix of %s, and the configured %j', (listed, configured, server, name) =>
    expect(toolOrigin(mcp(listed), configured)).toMatchObject({ server, name, origin: 'mcp' }),
  );
});

it('finds names that servers of several folders share', () => {
  expect(
    sharedNames([
      { folder: 'a', servers: ['Git', 'files'] },
      { folder: 'b', servers: ['git', 'web'] },
      { folder: 'c', servers: [] },
    ]),
  ).toEqual([{ server: 'Git', folders: ['a', 'b'] }]);
});

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

  it('takes the server from the reference, in the words of the configuration', () => {
    expect(
      toolOrigin(mcp('mcp_weather_srv_get_weather', 'my-weather/get_weather'), ['My Weather', 'other']),
    ).toMatchObject({ server: 'My Weather', name: 'get_weather' });
  });

  it('takes the server from the reference if no file configures it', () => {
    expect(toolOrigin(mcp('mcp_x_echo', 'user-server/echo'), [])).toMatchObject({
      server: 'user-server',
      name: 'echo',
    });
    expect(toolOrigin(mcp('mcp_x_echo', 'org/server/echo'), [])).toMatchObject({ server: 'org/server', name: 'echo' });
  });

  it('keeps slashes of server and tool apart if the server is configured', () => {
    expect(toolOrigin(mcp('mcp_x_a_b', 'org/server/a/b'), ['org', 'org/server'])).toMatchObject({
      server: 'org/server',
      name: 'a/b',
    });
  });

  it('falls back on the prefix against the configured servers', () => {
    expect(toolOrigin(mcp('mcp_weather_srv_get_weather'), ['weather', 'weather-srv'])).toMatchObject({
      server: 'weather',
      name: 'srv_get_weather',
    });
    expect(toolOrigin(mcp('mcp_weather_srv_get_weather'), ['Weather Srv', 'weather'])).toMatchObject({
      server: 'Weather Srv',
      name: 'get_weather',
    });
    expect(toolOrigin(mcp('mcp_weather2_echo'), ['weather'])).toMatchObject({ server: 'weather', name: 'echo' });
    expect(toolOrigin(mcp('mcp_a_very_long_s_echo'), ['a very long server name'])).toMatchObject({
      server: 'a very long server name',
      name: 'echo',
    });
  });

  it('falls back on the prefix alone', () => {
    expect(toolOrigin(mcp('mcp_files_read_file'), ['github'])).toMatchObject({ server: 'files', name: 'read_file' });
    expect(toolOrigin(mcp('odd'), [])).toMatchObject({ server: 'mcp', name: 'odd', origin: 'mcp' });
    expect(toolOrigin(mcp('mcp_x_'), [])).toMatchObject({ server: 'mcp', name: 'x_' });
  });
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

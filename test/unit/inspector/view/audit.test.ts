import { describe, expect, it } from 'vitest';
import { createCatalog } from '../../../../src/core/catalog/catalog';
import { INSPECTOR_STRINGS } from '../../../../src/inspector/text/strings';
import { createText } from '../../../../src/inspector/text/text';
import { auditText } from '../../../../src/inspector/view/audit';
import { viewState } from '../../../../src/inspector/view/viewState';
import { viewInputs } from '../../../data/viewInputs';
import { filler, makeTool } from '../../core/turn/world';

const text = createText(INSPECTOR_STRINGS, 'en');

describe('the audit of tools', () => {
  it('adds up what is in requests, and names uncalled tools', () => {
    const tools = [...filler('forge', 12), makeTool('odd"\nname', 'x')];
    const servers = ['forge', 'odd"\nname'].map((name) => ({ name, state: 'running' as const, problems: [] }));
    const eager = { loading: 'eager' as const, reason: '', reasonLong: '' };
    const state = viewState(
      viewInputs({
        catalog: createCatalog(1, tools, servers),
        loading: new Map(tools.slice(0, 11).map((tool) => [tool.id, eager])),
      }),
    );
    const audit = auditText(state, text);
    expect(audit).toContain(
      'All definitions: 13 tools, ≈\u00a01,300 tokens. In each request: 11 tools, ≈\u00a01,100 tokens.',
    );
    expect(audit).toContain('- "forge": running, 12 tools, ≈\u00a01,200 tokens, 0 calls');
    expect(audit).toContain('- and 1 more');
    expect(audit).toContain('Called most: none');
    expect(audit).toContain('"odd\\"\\nname"');
  });
});

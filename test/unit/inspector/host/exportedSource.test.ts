import { expect, it } from 'vitest';
import { createCatalog } from '../../../../src/core/catalog/catalog';
import { searchOver } from '../../../../src/core/search/searchOver';
import { createExportedSource } from '../../../../src/inspector/host/exportedSource';
import type { PlayAnswer } from '../../../../src/inspector/protocol/playground';
import { INSPECTOR_STRINGS } from '../../../../src/inspector/text/strings';
import { viewInputs } from '../../../data/viewInputs';
import { filler } from '../../core/turn/world';

it('an exported session is searched with as many results as it was', async () => {
  const session = viewInputs({ catalog: createCatalog(1, filler('forge', 12), []), maxResults: 3 });
  const origin = { file: 'a.json', exportedAt: '', product: '', contents: true };
  const answers: PlayAnswer[] = [];
  const source = createExportedSource(session, origin, {
    strings: INSPECTOR_STRINGS,
    files: async () => {},
    searchOver: (tools) => searchOver(tools, async () => {}),
    loadWhatIf: () => Promise.reject(new Error('Nobody asks for replays here.')),
  });
  await source.handle(
    { type: 'play', question: { mode: 'query', query: 'forge', scope: 'all' } },
    (answer) => answer.type === 'played' && answers.push(answer.answer),
  );
  expect(answers.at(-1)?.limit).toBe(3);
});

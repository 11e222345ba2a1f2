import { expect, it } from 'vitest';
import { ViewSync } from '../../../../src/inspector/host/viewSync';
import type { ToWebview } from '../../../../src/inspector/protocol/messages';
import { applyPatch } from '../../../../src/inspector/protocol/patch';
import type { ViewState } from '../../../../src/inspector/protocol/view';
import { ViewFold } from '../../../../src/inspector/view/viewState';
import { bigSession } from '../../../data/bigSession';
import { viewInputs } from '../../../data/viewInputs';

/** The webview's view after the host has sent these views as text, one after another. */
function shown(...views: readonly ViewState[]): ViewState | undefined {
  const sync = new ViewSync();
  let state: ViewState | undefined;
  for (const view of views) {
    for (const message of sync.update(view)) {
      const read = JSON.parse(JSON.stringify(message)) as ToWebview;
      if (read.type === 'state') state = read.state;
      if (read.type === 'patch' && state) state = applyPatch(state, read);
    }
  }
  return state;
}

const without = <Value extends object>(value: Value, field: string): Value =>
  Object.fromEntries(Object.entries(value).filter(([name]) => name !== field)) as Value;

it('a field that a view drops is gone in the webview', () => {
  const view = new ViewFold().fold(viewInputs(bigSession({ turns: 2, tools: 3 })), undefined);
  const marked = { ...view, suggestions: {}, tools: view.tools.map((tool) => ({ ...tool, pin: 'eager' })) };
  const first = marked as unknown as ViewState;
  const fieldGone = shown(first, without(first, 'suggestions'));
  expect(fieldGone?.suggestions).toBeUndefined();
  const rowGone = { ...first, tools: first.tools.map((tool) => without(tool, 'pin')) };
  expect(shown(first, rowGone)?.tools.map((tool) => (tool as { pin?: string }).pin)).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

import { describe } from 'node:test';
import { counts } from './counts.mjs';
import { savings } from './savings.mjs';
import { useVscode } from './vscode.mjs';

describe('what the figures say', () => {
  const scenario = useVscode({ standIn: 'with keys' });

  // The savings come first: they suppose that no cache of the services holds a request yet.
  savings(scenario);
  counts(scenario);
});

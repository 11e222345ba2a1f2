// Checks which misleading definitions get a warning, and writes a table of everything that people and models see of
// them.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { marksOf } from '../../../../src/core/catalog/marks';
import { type JsonSchema, type Tool, toolId } from '../../../../src/core/catalog/tool';
import { revealed } from '../../../../src/core/util/plainText';
import { readTools } from '../../../../src/tools/toolList';
import { noteLines } from '../../../../src/ui/confirmations/callNotes';

/** A tool as its server lists it. */
interface Listed {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly inputSchema?: JsonSchema;
  readonly outputSchema?: JsonSchema;
}

/** A definition with the tools of other servers beside it. */
interface Sample {
  readonly id: string;
  readonly label: 'malicious' | 'benign';
  readonly server: string;
  readonly tool: Listed;
  readonly peers?: readonly { readonly server: string; readonly tool: Listed }[];
}

const ROOT = join(import.meta.dirname, '../../../..');
/** Definitions that are made to mislead, and harmless ones that look similar: one a line, what is unseen as escapes. */
const SAMPLES: readonly Sample[] = readFileSync(join(ROOT, 'test/data/suspects.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));
/** A further collection of samples, beside the repository. */
const SHARED = join(ROOT, '../shared/security/detect_corpus_v1.json');

/** Reads a sample as the extension reads a server's list. */
function read({ server, tool, peers = [] }: Sample): readonly Tool[] {
  return [{ server, tool }, ...peers].flatMap(({ server: name, tool: listed }) => {
    const item = {
      name: `mcp_${name}_${listed.name}`,
      description: listed.description,
      inputSchema: listed.inputSchema ?? {},
      tags: ['mcp'],
    };
    const [shown] = readTools([item], []).tools;
    const { title, outputSchema } = listed;
    const own = { id: toolId(name, listed.name), server: name, name: listed.name, modelName: listed.name };
    return shown ? [{ ...shown, ...own, ...(title && { title }), ...(outputSchema && { outputSchema }) }] : [];
  });
}

/** The warning lines of a sample in a confirmation, which the inspector shows too. */
function linesOn(sample: Sample): readonly string[] {
  const tools = read(sample);
  const [tool] = tools;
  return tool ? noteLines(tool, marksOf(tool, tools)) : [];
}

/** Writes a table of what people and models see of each sample. */
function writeTable(file: string, samples: readonly Sample[]): void {
  const cell = (text: string) => revealed(text).replaceAll('|', '\\|').replaceAll(/\s+/g, ' ').slice(0, 200);
  const rows = samples.map((sample) => {
    const [tool] = read(sample);
    return `| ${[sample.id, sample.label, linesOn(sample).join('; '), tool?.description ?? ''].map(cell).join(' | ')} |`;
  });
  mkdirSync(join(ROOT, 'test-results'), { recursive: true });
  writeFileSync(
    join(ROOT, 'test-results', file),
    ['| id | label | a person | a model |', '|---|---|---|---|', ...rows].join('\n'),
  );
}

const isMarked = (sample: Sample) => linesOn(sample).some((line) => line.startsWith('Suspicious'));

describe('a definition of our collection', () => {
  it('is marked if it misleads, and not if it only looks so', () => {
    expect(SAMPLES.length).toBeGreaterThan(200);
    const wrong = SAMPLES.filter((sample) =>
      sample.label === 'malicious' ? !isMarked(sample) : linesOn(sample).length > 0,
    );
    expect(wrong.map(({ id }) => id)).toEqual([]);
  });

  it('is in the table of test-results', () => writeTable('suspects.md', SAMPLES));
});

it.skipIf(!existsSync(SHARED))('marks the malicious ones of another collection, and no other', () => {
  const { entries }: { entries: readonly Sample[] } = JSON.parse(readFileSync(SHARED, 'utf8'));
  writeTable('suspects-of-others.md', entries);
  expect(entries.length).toBeGreaterThan(50);
  expect(entries.filter((entry) => isMarked(entry) !== (entry.label === 'malicious'))).toEqual([]);
});

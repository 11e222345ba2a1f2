// Checks which misleading definitions get a warning, and writes a table of everything that people and models see of
// them.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { marksOf } from '../../../../src/core/catalog/marks';
import { type Tool, toolId } from '../../../../src/core/catalog/tool';
import { revealed } from '../../../../src/core/util/plainText';
import { readTools } from '../../../../src/tools/toolList';
import { noteLines } from '../../../../src/ui/confirmations/noteLines';
import { SAMPLES, type Sample } from './suspects';

const ROOT = join(import.meta.dirname, '../../../..');
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
  it.each(SAMPLES.filter(({ label }) => label === 'malicious').map((sample) => [sample.id, sample] as const))(
    '%s is marked',
    (_, sample) => {
      expect(isMarked(sample)).toBe(true);
    },
  );

  it.each(SAMPLES.filter(({ label }) => label === 'benign').map((sample) => [sample.id, sample] as const))(
    '%s is left in peace',
    (_, sample) => {
      expect(linesOn(sample)).toEqual([]);
    },
  );

  it('is in the table of test-results', () => {
    writeTable('suspects.md', SAMPLES);
  });
});

it.skipIf(!existsSync(SHARED))('marks the malicious ones of another collection, and no other', () => {
  const { entries }: { entries: readonly Sample[] } = JSON.parse(readFileSync(SHARED, 'utf8'));
  writeTable('suspects-of-others.md', entries);
  expect(entries.length).toBeGreaterThan(50);
  expect(entries.filter((entry) => isMarked(entry) !== (entry.label === 'malicious'))).toEqual([]);
});

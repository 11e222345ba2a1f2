import axe from 'axe-core';

/** Problems that axe finds in the page. Contrast needs a layout, so `preview.mjs` checks it in a real browser. */
export async function violations(): Promise<string[]> {
  document.documentElement.lang = 'en';
  document.title = 'Inspector';
  const rules = { 'color-contrast': { enabled: false } };
  const result = await axe.run(document, { resultTypes: ['violations'], rules });
  return result.violations.map((violation) => `${violation.id}: ${violation.nodes[0]?.html}`);
}

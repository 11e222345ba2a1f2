/** The parts of the webview's document. None of them comes from a server or a model. */
interface PageParts {
  readonly cspSource: string;
  readonly nonce: string;
  readonly script: string;
  /** The addresses of the style sheets, in the order of their use. */
  readonly styles: readonly string[];
  readonly lang: string;
  readonly title: string;
  /** The text shown until the first data arrives, so that the panel is never empty. */
  readonly waiting: string;
}

/**
 * Returns the document. It has no inline scripts or styles. React sets `style` through the CSSOM, which the content
 * policy allows.
 */
export function page({ cspSource, nonce, script, styles, lang, title, waiting }: PageParts): string {
  const policy = `default-src 'none'; style-src ${cspSource}; font-src ${cspSource}; script-src 'nonce-${nonce}'`;
  return `<!DOCTYPE html>
<html lang="${attribute(lang)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${attribute(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${attribute(title)}</title>
${styles.map((href) => `<link rel="stylesheet" href="${attribute(href)}">`).join('\n')}
</head>
<body>
<div id="root"><p class="waiting">${attribute(waiting)}</p></div>
<script nonce="${nonce}" src="${attribute(script)}"></script>
</body>
</html>`;
}

function attribute(text: string): string {
  return text.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`);
}

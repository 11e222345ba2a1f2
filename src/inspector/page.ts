/** What the webview's document is made of; all of it comes from us, never from a server or a model. */
export interface PageParts {
  readonly cspSource: string;
  readonly nonce: string;
  readonly script: string;
  /** In this order. */
  readonly styles: readonly string[];
  readonly lang: string;
  readonly title: string;
  /** Stands until the first snapshot arrives, so that the panel is never blank. */
  readonly waiting: string;
}

/** The document. Nothing inline runs or styles: React sets `style` through the CSSOM, which the policy allows. */
export function page(parts: PageParts): string {
  const policy = `default-src 'none'; style-src ${parts.cspSource}; font-src ${parts.cspSource}; script-src 'nonce-${parts.nonce}'`;
  return `<!DOCTYPE html>
<html lang="${attribute(parts.lang)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${attribute(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${attribute(parts.title)}</title>
${parts.styles.map((href) => `<link rel="stylesheet" href="${attribute(href)}">`).join('\n')}
</head>
<body>
<div id="root"><p class="waiting">${attribute(parts.waiting)}</p></div>
<script nonce="${parts.nonce}" src="${attribute(parts.script)}"></script>
</body>
</html>`;
}

function attribute(text: string): string {
  return text.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`);
}

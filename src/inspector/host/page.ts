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
export function page(parts: PageParts): string {
  const { nonce, script, waiting } = parts;
  return documentOf(
    parts,
    `; script-src 'nonce-${nonce}'`,
    `<div id="root"><p class="waiting">${attribute(waiting)}</p></div>
<script nonce="${nonce}" src="${attribute(script)}"></script>`,
  );
}

function documentOf(parts: Omit<PageParts, 'nonce' | 'script' | 'waiting'>, scripts: string, body: string): string {
  const policy = `default-src 'none'; style-src ${parts.cspSource}; font-src ${parts.cspSource}${scripts}`;
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
${body}
</body>
</html>`;
}

/** The parts of a page for a panel that has nothing to show. */
interface NoteParts extends Omit<PageParts, 'nonce' | 'script' | 'waiting'> {
  readonly heading: string;
  /** The reason and what to do. The link is shown below it. */
  readonly why: string | undefined;
  /** A link that runs a command. */
  readonly link: { readonly command: string; readonly label: string };
}

/** Returns a document without scripts. */
export function notePage({ heading, why, link, ...parts }: NoteParts): string {
  const more =
    why === undefined
      ? ''
      : `<p>${attribute(why)}</p><p><a href="command:${attribute(link.command)}">${attribute(link.label)}</a></p>`;
  return documentOf(parts, '', `<main class="hello"><h2>${attribute(heading)}</h2>${more}</main>`);
}

function attribute(text: string): string {
  return text.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`);
}

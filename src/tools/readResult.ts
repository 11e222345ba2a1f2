// Converts a tool's result to the parts that a model gets: limited texts, images, documents and links.

import type { Json } from '../core/catalog/tool';
import { withoutData } from '../core/conversation/keptHistory';
import type { CallOutcome, ResultPart } from '../core/conversation/transcript';
import type { ResourceLink, ToolRun } from '../core/ports';
import { isTooDeep, parseJson, TOO_DEEP } from '../core/util/objects';
import { sameJson } from '../core/util/sameJson';

/** One part of a tool's result. VS Code's results and our own client's are both converted to this form. */
export type GivenPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'data'; readonly mimeType: string; readonly data: Uint8Array }
  /** A link to a resource whose content isn't included. */
  | {
      readonly kind: 'link';
      readonly uri: string;
      /** The server's description of the resource. */
      readonly about: readonly string[];
      /** The size in bytes, if the server specifies it. */
      readonly size?: number;
      /** The address from which the resource can be read; undefined if it can't be. */
      readonly address?: string;
    };

/** A tool's result, in a form for both VS Code and our own client. */
interface GivenResult {
  readonly outcome: CallOutcome;
  readonly parts: Iterable<GivenPart>;
  /** MCP's `structuredContent`. */
  readonly structured?: Json;
}

/** The maximum size of an image that a model gets, in bytes. Services refuse more than 5 MB of base64. */
const MAX_IMAGE_BYTES = 3_750_000;
/** The maximum size of a document that a model gets, in bytes. A whole request may have 32 MB. */
const MAX_DOCUMENT_BYTES = 10_000_000;
/** The maximum number of images and documents of one result that a model gets, and their total bytes. */
const MAX_MEDIA = 20;
const MAX_MEDIA_BYTES = 15_000_000;
/** The maximum number of parts of one result that are read. A message of 64 MB could have millions. */
const MAX_PARTS = 10_000;
/** The maximum number of links of one result that can be read, and the longest URI in characters. */
const MAX_LINKS = 1_000;
const MAX_URI = 2_000;
const TEXT = /^text\/|[/+](json|xml|yaml|javascript)\b/;

/** Converts a tool's result for a model. All results go through this function. */
export function readResult({ outcome, parts: given, structured }: GivenResult): ToolRun {
  const links: ResourceLink[] = [];
  const parts = boundMedia(firstParts(noting(given, links)));
  const failed = outcome === 'failed' ? { answered: true as const } : {};
  const answer = { outcome, ...failed, ...(links.length > 0 ? { links } : {}) };
  if (structured === undefined) return { ...answer, parts };
  if (isTooDeep(structured)) return { ...answer, parts: [...parts, { type: 'text', text: TOO_DEEP }] };
  // Servers should repeat structured content as text, and most do. Otherwise it is added here.
  if (!parts.some((part) => part.type === 'text' && sameJson(parseJson(part.text), structured)))
    parts.push({ type: 'text', text: JSON.stringify(structured) });
  return { ...answer, parts, structured };
}

/** Passes on the parts and adds their readable links to `links`. */
function* noting(given: Iterable<GivenPart>, links: ResourceLink[]): Generator<GivenPart> {
  for (const part of given) {
    if (part.kind === 'link' && part.address !== undefined && part.uri.length <= MAX_URI && links.length < MAX_LINKS)
      links.push({ uri: part.uri, address: part.address });
    yield part;
  }
}

function firstParts(given: Iterable<GivenPart>): ResultPart[] {
  const parts: ResultPart[] = [];
  for (const part of given) {
    if (parts.length < MAX_PARTS) parts.push(readPart(part));
    else
      return [
        ...parts,
        { type: 'text', text: `[Cut: these are the first ${MAX_PARTS.toLocaleString('en')} parts of the result.]` },
      ];
  }
  return parts;
}

function readPart(part: GivenPart): ResultPart {
  switch (part.kind) {
    case 'text':
      return { type: 'text', text: part.text };
    case 'link': {
      const size = part.size === undefined ? '' : `${part.size.toLocaleString('en')} bytes`;
      return { type: 'text', text: `[Resource: ${[part.uri, ...part.about, size].filter(Boolean).join(', ')}]` };
    }
    case 'data':
      return readData(part.mimeType, part.data);
  }
}

function readData(mimeType: string, data: Uint8Array): ResultPart {
  const bytes = data.byteLength;
  const media = mediaOf(data);
  if (media && bytes <= media.limit) {
    const { type, mimeType: real } = media;
    return { type, mimeType: real, bytes, data: Buffer.from(data.buffer, data.byteOffset, bytes).toString('base64') };
  }
  return TEXT.test(mimeType)
    ? { type: 'text', text: new TextDecoder().decode(data) }
    : { type: 'omitted', mimeType, bytes };
}

/** Replaces images and documents above the limits with a short text. */
function boundMedia(parts: readonly ResultPart[]): ResultPart[] {
  let count = 0;
  let bytes = 0;
  return parts.map((part) => {
    if (part.type !== 'image' && part.type !== 'document') return part;
    if (count >= MAX_MEDIA || bytes + part.bytes > MAX_MEDIA_BYTES) return withoutData(part);
    count++;
    bytes += part.bytes;
    return part;
  });
}

interface Media {
  readonly type: 'image' | 'document';
  readonly mimeType: string;
  readonly limit: number;
}

/**
 * Media types that models accept, with the first bytes of their data. A service refuses a whole request if one image
 * isn't of its declared type.
 */
const MEDIA: readonly (Media & { readonly begins: string })[] = [
  { begins: '\x89PNG\r\n\x1a\n', type: 'image', mimeType: 'image/png', limit: MAX_IMAGE_BYTES },
  { begins: '\xff\xd8\xff', type: 'image', mimeType: 'image/jpeg', limit: MAX_IMAGE_BYTES },
  { begins: 'GIF8', type: 'image', mimeType: 'image/gif', limit: MAX_IMAGE_BYTES },
  { begins: 'RIFF····WEBP', type: 'image', mimeType: 'image/webp', limit: MAX_IMAGE_BYTES },
  { begins: '%PDF-', type: 'document', mimeType: 'application/pdf', limit: MAX_DOCUMENT_BYTES },
];

function mediaOf(data: Uint8Array): Media | undefined {
  // A dot matches any byte.
  return MEDIA.find(({ begins }) =>
    [...begins].every((char, index) => char === '·' || data[index] === char.charCodeAt(0)),
  );
}

import type { ResultPart } from '../core/conversation/transcript';

/** The types of images that both services read. Of documents, both read PDF. */
const IMAGES = /^image\/(png|jpeg|webp|gif)$/;

type ShownPart = Extract<ResultPart, { readonly type: 'image' | 'document' }>;

/** Whether a model can be shown this image or document. It gets a text in place of any other. */
export function isShown(part: ResultPart): part is ShownPart {
  if (part.type === 'image') return IMAGES.test(part.mimeType) && part.data !== '';
  return part.type === 'document' && part.mimeType === 'application/pdf' && part.data !== '';
}

import { l10n } from '../util/l10n';
import type { ToolAnnotations } from './tool';

/** Returns the server's claims about a tool, in words for the user. */
export function claimsOf({
  readOnlyHint,
  destructiveHint,
  idempotentHint,
  openWorldHint,
}: ToolAnnotations): readonly string[] {
  return [
    ...(readOnlyHint === undefined ? [] : [readOnlyHint ? l10n.t('read-only') : l10n.t('may write')]),
    ...(destructiveHint === undefined
      ? []
      : [destructiveHint ? l10n.t('may delete or overwrite') : l10n.t('only adds')]),
    ...(idempotentHint ? [l10n.t('safe to repeat')] : []),
    ...(openWorldHint === undefined ? [] : [openWorldHint ? l10n.t('open world') : l10n.t('closed world')]),
  ];
}

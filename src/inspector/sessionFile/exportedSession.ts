import type { KnownSecrets } from '../../core/util/knownSecrets';
import type { ViewInputs } from '../protocol/inputs';

export type ExportedSession = Pick<
  ViewInputs,
  'events' | 'catalog' | 'loading' | 'tokensOf' | 'pins' | 'mode' | 'maxResults' | 'strategy' | 'delivery'
>;

export interface ExportOptions {
  readonly contents: boolean;
  /** The time in milliseconds since the epoch. */
  readonly at: number;
  readonly productVersion: string;
  /** The known secrets. Texts that look like secrets are removed too. */
  readonly secrets: Pick<KnownSecrets, 'inJson'>;
}

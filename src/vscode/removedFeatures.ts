import { messageOf } from '../core/util/messageOf';
import type { StoredData } from './storedData';

/** Removes what earlier versions stored for features that are gone. Called at each start. Never rejects. */
export async function removeDataOfRemovedFeatures(
  stored: Pick<StoredData, 'memento' | 'ofUser' | 'remove' | 'removeSecret'>,
  warn: (message: string) => void,
): Promise<void> {
  const removals = [
    // The sessions that were opened from files, and the words that the user's model wrote for the search.
    stored.memento.update('openedExports', undefined),
    stored.ofUser.update('searchWordsModel', undefined),
    stored.remove('searchWords.json'),
    // The extension's own code, as V8 compiled it.
    stored.remove('compiled'),
    // The texts with which changes of other agents' files could be undone.
    stored.removeSecret('agentFiles.changes'),
  ];
  for (const { reason } of (await Promise.allSettled(removals)).filter((each) => each.status === 'rejected'))
    warn(`Data of an earlier version can’t be removed: ${messageOf(reason)}`);
}

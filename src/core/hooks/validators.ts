// The validators of other extensions, which check a call's arguments before the call is made. `validateCall.ts` calls
// them.

import type { ArgumentValidator } from '../../../tool-search';
import type { Diagnostic } from '../catalog/diagnostic';
import { l10n } from '../util/l10n';
import { NamedHooks } from './namedHooks';

/** Holds the validators of other extensions, and the errors of those that fail. */
export class Validators extends NamedHooks<ArgumentValidator> {
  /** The error of each validator's last failure. Removed when the validator works again. */
  readonly failures = new Map<string, string>();

  constructor() {
    super('validator');
  }

  /** The validators that fail, with their errors. Calls that they failed to check were made. */
  get diagnostics(): readonly Diagnostic[] {
    return [...this.failures].map(([name, error]) => ({
      severity: 'warning',
      source: name,
      message: l10n.t('The validator “{0}” failed ({1}). Calls are made without its check.', name, error),
    }));
  }

  override add(name: string, validator: ArgumentValidator): () => void {
    const remove = super.add(name, validator);
    return () => {
      remove();
      this.failures.delete(name);
    };
  }
}

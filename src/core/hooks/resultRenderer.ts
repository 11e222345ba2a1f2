import type { ResultRenderer } from '../../../tool-search';
import { l10n } from '../util/l10n';
import { messageOf } from '../util/messageOf';
import { runOutside } from './outside';

/** Holds the renderer of another extension, if there is one. Protects a turn from the renderer's errors. */
export class ResultRenderers {
  #current: { readonly name: string; readonly render: ResultRenderer } | undefined;

  /**
   * Sets the renderer. Returns a function that removes it.
   * @throws {Error} if another renderer is registered, because only one can be used
   */
  register(name: string, render: ResultRenderer): () => void {
    if (this.#current) throw new Error(`There is already a result renderer, "${this.#current.name}".`);
    const mine = { name, render };
    this.#current = mine;
    return () => {
      if (this.#current === mine) this.#current = undefined;
    };
  }

  /**
   * Returns the renderer's text, or a warning if the renderer failed. Both are missing if there is no renderer. Never
   * rejects.
   */
  async render(
    answer: () => Parameters<ResultRenderer>[0],
    signal: AbortSignal,
  ): Promise<{ readonly text?: string; readonly warning?: string }> {
    const current = this.#current;
    if (!current) return {};
    try {
      const text: unknown = await runOutside((stopped) => current.render(answer(), stopped), signal);
      if (typeof text !== 'string' || text.trim() === '') throw new Error(l10n.t('it returned no text'));
      return { text };
    } catch (error) {
      return {
        warning: l10n.t(
          'The result renderer “{0}” failed ({1}). The model got the plain result.',
          current.name,
          messageOf(error),
        ),
      };
    }
  }
}

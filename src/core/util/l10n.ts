type Translate = (message: string, ...args: (string | number)[]) => string;

/** English, with `{0}` filled in. */
let translate: Translate = (message, ...args) =>
  message.replace(/\{(\d+)\}/g, (hole, index: string) => String(args[Number(index)] ?? hole));

/**
 * Texts of the core and of models that users read, in the user's language. Only literals can be translated: a test
 * collects them. Texts for models are always English.
 */
export const l10n = {
  t: (message: string, ...args: (string | number)[]): string => translate(message, ...args),
  /** Sets the function that translates: VS Code's, once the extension starts. */
  use(next: Translate): void {
    translate = next;
  },
};

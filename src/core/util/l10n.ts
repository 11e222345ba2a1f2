type Translate = (message: string, ...args: (string | number)[]) => string;

/** The default: the English message with its `{0}` filled in. */
let translate: Translate = (message, ...args) =>
  message.replace(/\{(\d+)\}/g, (hole, index: string) => String(args[Number(index)] ?? hole));

/** Translates texts that users read. They must be literals, which a test collects. Texts for models stay English. */
export const l10n = {
  t: (message: string, ...args: (string | number)[]): string => translate(message, ...args),
  /** Sets the function that translates. When the extension starts, this is VS Code's function. */
  use(next: Translate): void {
    translate = next;
  },
};

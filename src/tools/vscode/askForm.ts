// Shows a form of an MCP server, in which it asks the user for information, as quick picks and input boxes.

import * as vscode from 'vscode';
import { cut } from '../../core/util/cut';
import { plainLabel, plainName, plainPrompt } from '../../core/util/plainText';
import { withToken } from '../../vscode/cancellation';
import {
  type Field,
  type FieldValue,
  type Form,
  type FormAnswer,
  type FormChoice,
  fillForm,
  problemOfCount,
  problemOfNumber,
  problemOfText,
  type UserAnswer,
} from '../mcp/connection/elicitationForm';

/** The maximum number of characters of a server's texts that are shown. */
const MAX_MESSAGE = 500;
const MAX_LABEL = 100;

/** Resolves when the last form in the queue is answered. */
let last: Promise<unknown> = Promise.resolve();

/**
 * Shows a server's form with VS Code's own quick picks and input boxes. Several forms are shown one after another.
 * Escape cancels at any step. All texts are untrusted and shown as plain text.
 * @param canEnd whether to offer to refuse further questions of this call
 */
export function askForm(server: string, form: Form, signal: AbortSignal, canEnd: boolean): Promise<UserAnswer> {
  const answer = last.then(() =>
    signal.aborted ? ({ action: 'cancel' } as const) : withToken(signal, (token) => ask(server, form, token, canEnd)),
  );
  last = answer.catch(() => {});
  return answer;
}

async function ask(server: string, form: Form, token: vscode.CancellationToken, canEnd: boolean): Promise<UserAnswer> {
  const title = vscode.l10n.t('MCP server {0} asks', plainName(server));
  const goOn = form.fields.length > 0 ? vscode.l10n.t('Answer') : vscode.l10n.t('Accept');
  const decline = vscode.l10n.t('Decline');
  const end = vscode.l10n.t('Stop answering questions of this call');
  const options = { title, placeHolder: shown(form.message, MAX_MESSAGE), ignoreFocusOut: true };
  const chosen = await vscode.window.showQuickPick([goOn, decline, ...(canEnd ? [end] : [])], options, token);
  if (chosen === undefined) return { action: 'cancel' };
  if (chosen === decline) return { action: 'decline' };
  if (chosen === end) return { action: 'end' };
  return askFields(title, form, token);
}

/** Asks for the values of a form's fields, one after another. */
export function askFields(title: string, form: Form, token: vscode.CancellationToken): Promise<FormAnswer> {
  return fillForm(form, (field, step) => {
    const at = form.fields.length > 1 ? ` (${step}/${form.fields.length})` : '';
    const about = [field.title, field.description].filter(Boolean).join(': ');
    return askField(field, { title: title + at, about: shown(about, MAX_MESSAGE), token });
  });
}

interface FormDialog {
  readonly title: string;
  readonly about: string;
  readonly token: vscode.CancellationToken;
}

async function askField(field: Field, asking: FormDialog): Promise<FieldValue | null> {
  switch (field.kind) {
    case 'text': {
      const typed = await type(asking, field.fallback, (value) => problemOfText(field, value));
      return typed === undefined ? null : typed === '' && !field.required ? undefined : typed;
    }
    case 'number': {
      const typed = await type(asking, field.fallback?.toString(), (value) => problemOfNumber(field, value));
      return typed === undefined ? null : typed.trim() === '' ? undefined : Number(typed);
    }
    case 'flag': {
      const choices = [
        { value: 'true', label: vscode.l10n.t('Yes') },
        { value: 'false', label: vscode.l10n.t('No') },
      ];
      const picked = await pick(field, choices, field.fallback?.toString(), asking);
      return picked === null ? picked : picked && picked.value === 'true';
    }
    case 'choice': {
      const picked = await pick(field, field.choices, field.fallback, asking);
      return picked === null ? picked : picked?.value;
    }
    case 'choices':
      return pickMany(field, asking);
  }
}

function type(
  { title, about, token }: FormDialog,
  value: string | undefined,
  validateInput: (typed: string) => string | undefined,
) {
  return vscode.window.showInputBox({ title, prompt: about, ignoreFocusOut: true, validateInput, value }, token);
}

/** Shows a quick pick with the default first, since a quick pick can't show a default in another way. */
async function pick(
  { required }: Field,
  choices: readonly FormChoice[],
  fallback: string | undefined,
  { title, about, token }: FormDialog,
): Promise<FormChoice | undefined | null> {
  const items = choices.map((choice) => ({ label: plainLabel(cut(choice.label, MAX_LABEL)), choice }));
  const first = items.filter(({ choice }) => choice.value === fallback);
  const rest = items.filter(({ choice }) => choice.value !== fallback);
  const none = required ? [] : [{ label: vscode.l10n.t('(no answer)'), choice: undefined }];
  const options = { title, placeHolder: about, ignoreFocusOut: true };
  const picked = await vscode.window.showQuickPick([...first, ...rest, ...none], options, token);
  return picked ? picked.choice : null;
}

async function pickMany(
  field: Field & { kind: 'choices' },
  { title, about, token }: FormDialog,
): Promise<FieldValue | null> {
  let problem: string | undefined;
  let chosen: readonly string[] = field.fallback;
  for (;;) {
    const items = field.choices.map(({ value, label }) => ({
      label: plainLabel(cut(label, MAX_LABEL)),
      value,
      picked: chosen.includes(value),
    }));
    const placeHolder = problem ? `${problem} ${about}` : about;
    const options = { title, placeHolder, ignoreFocusOut: true, canPickMany: true } as const;
    const picked = await vscode.window.showQuickPick(items, options, token);
    if (!picked) return null;
    chosen = picked.map(({ value }) => value);
    if (chosen.length === 0 && !field.required) return undefined;
    problem = problemOfCount(field, chosen.length);
    if (problem === undefined) return [...chosen];
  }
}

function shown(text: string, max: number): string {
  return cut(plainPrompt(text), max);
}

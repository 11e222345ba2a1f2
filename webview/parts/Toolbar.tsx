import type { HostCommand } from '../../src/inspector/protocol/requests';
import { useText } from '../hooks';
import { Codicon } from './Codicon';

const BUTTONS = [
  ['findTools', 'search'],
  ['showLog', 'output'],
  ['openSettings', 'settings-gear'],
] as const;

/** Buttons for VS Code's commands that concern the whole inspector. */
export function Toolbar({ run }: { readonly run: (command: HostCommand) => void }) {
  const { t } = useText();
  return (
    <fieldset className="actions" aria-label={t('actions')}>
      {BUTTONS.map(([command, icon]) => (
        <button
          key={command}
          type="button"
          className="icon"
          title={t(`action.${command}`)}
          aria-label={t(`action.${command}`)}
          onClick={() => run(command)}
        >
          <Codicon name={icon} />
        </button>
      ))}
    </fieldset>
  );
}

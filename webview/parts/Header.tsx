import type { HostCommand } from '../../src/inspector/protocol/requests';
import { useText } from '../hooks';
import type { Section } from '../nav';
import { Codicon } from './Codicon';
import { Tabs } from './Tabs';

const BUTTONS = [
  ['exportSession', 'export'],
  ['showLog', 'output'],
  ['openSettings', 'settings-gear'],
] as const;

interface Props {
  readonly section: Section;
  readonly onSelect: (section: Section) => void;
  readonly run: (command: HostCommand) => void;
}

/** The header of every section: the tabs, and buttons for VS Code's commands that concern the whole inspector. */
export function Header({ section, onSelect, run }: Props) {
  const { t } = useText();
  return (
    <header className="tabs">
      <h1 className="sr">{t('title')}</h1>
      <Tabs section={section} onSelect={onSelect} />
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
            {command === 'exportSession' && <span className="words">{t('action.exportSession')}</span>}
          </button>
        ))}
      </fieldset>
    </header>
  );
}

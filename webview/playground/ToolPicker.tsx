import { type KeyboardEvent, useId, useMemo, useState } from 'react';
import type { ToolView } from '../../src/inspector/protocol/view';
import { useText } from '../hooks';
import { filterTools } from '../tools/filter';

/** The maximum number of options in the list. To see others, the user types more letters. */
const SHOWN = 50;

interface Props {
  readonly tools: readonly ToolView[];
  readonly tool?: string;
  readonly onPick: (id: string) => void;
}

/**
 * A combobox that chooses a tool by a part of its name (the ARIA pattern with a list). It works with thousands of
 * tools.
 */
export function ToolPicker({ tools, tool, onPick }: Props) {
  const { t } = useText();
  const id = useId();
  /** The text typed since a tool was chosen. */
  const [typed, setTyped] = useState<string>();
  const [open, setOpen] = useState(false);
  const [active, setActive] = useState(0);
  const options = useMemo(() => (open ? filterTools(tools, typed ?? '').slice(0, SHOWN) : []), [tools, typed, open]);
  const current = Math.min(active, options.length - 1);

  function pick(option: ToolView | undefined): void {
    if (!option) return;
    close();
    onPick(option.id);
  }
  function close(): void {
    setTyped(undefined);
    setActive(0);
    setOpen(false);
  }
  function onKeyDown(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      if (open) setActive((current + step + options.length) % Math.max(1, options.length));
      setOpen(true);
    } else if (event.key === 'Enter' && open) {
      event.preventDefault();
      pick(options[current]);
    } else if (event.key === 'Escape' && open) {
      event.preventDefault();
      close();
    }
  }
  return (
    <div className="picker">
      <input
        type="text"
        role="combobox"
        aria-label={t('tools.name')}
        aria-expanded={open && options.length > 0}
        aria-controls={`${id}list`}
        aria-autocomplete="list"
        aria-activedescendant={open && options[current] ? `${id}${current}` : undefined}
        placeholder={t('play.toolHint')}
        spellCheck={false}
        value={typed ?? tool ?? ''}
        onChange={(event) => {
          setTyped(event.target.value);
          setActive(0);
          setOpen(true);
        }}
        onFocus={(event) => event.target.select()}
        onClick={() => setOpen(true)}
        onBlur={close}
        onKeyDown={onKeyDown}
      />
      <div role="listbox" id={`${id}list`} aria-label={t('tools.name')} hidden={!open || options.length === 0}>
        {options.map((option, index) => (
          // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the input, which points here.
          // biome-ignore lint/a11y/useKeyWithClickEvents: the input has the keys.
          <div
            key={option.id}
            id={`${id}${index}`}
            role="option"
            aria-selected={index === current}
            ref={index === current ? scrollIntoSight : undefined}
            // Keeps the focus in the input. Otherwise the list would close before the click.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => pick(option)}
          >
            <span className="srv">{option.server}/</span>
            {option.name}
          </div>
        ))}
      </div>
    </div>
  );
}

function scrollIntoSight(option: HTMLElement | null): void {
  option?.scrollIntoView?.({ block: 'nearest' });
}

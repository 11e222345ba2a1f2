import type { KeyboardEvent } from 'react';
import { useText } from '../hooks';
import { SECTIONS, type Section } from '../nav';

interface Props {
  readonly section: Section;
  readonly onSelect: (section: Section) => void;
}

/** The height of the tabs in pixels. They stay above a section while it scrolls. The style sheet has the same value. */
export const TABS_HEIGHT = 40;

/**
 * The tabs of the sections, styled as VS Code's panel titles. They are one tab stop; arrow keys, Home and End select a
 * tab.
 */
export function Tabs({ section, onSelect }: Props) {
  const { t } = useText();
  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    const index = SECTIONS.indexOf(section);
    const last = SECTIONS.length - 1;
    const next = {
      ArrowRight: index === last ? 0 : index + 1,
      ArrowLeft: index === 0 ? last : index - 1,
      Home: 0,
      End: last,
    }[event.key];
    const target = next === undefined ? undefined : SECTIONS[next];
    if (!target) return;
    event.preventDefault();
    onSelect(target);
    document.getElementById(`tab-${target}`)?.focus();
  }
  return (
    <div role="tablist" aria-label={t('sections')}>
      {SECTIONS.map((each) => (
        <button
          key={each}
          type="button"
          role="tab"
          id={`tab-${each}`}
          aria-controls="panel"
          aria-selected={each === section}
          tabIndex={each === section ? 0 : -1}
          onClick={() => onSelect(each)}
          onKeyDown={onKeyDown}
        >
          {t(`section.${each}`)}
        </button>
      ))}
    </div>
  );
}

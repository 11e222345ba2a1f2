import type { KeyboardEvent } from 'react';
import { useText } from '../hooks';
import type { Section } from '../nav';

interface Props {
  readonly sections: readonly Section[];
  readonly section: Section;
  readonly counts: { readonly [section in Section]?: number };
  readonly onSelect: (section: Section) => void;
}

/** The sections, as VS Code's panel titles. One tab stop; arrows, Home and End move and select. */
export function Tabs({ sections, section, counts, onSelect }: Props) {
  const { t, number } = useText();
  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    const index = sections.indexOf(section);
    const last = sections.length - 1;
    const next = { ArrowRight: index === last ? 0 : index + 1, ArrowLeft: index === 0 ? last : index - 1, Home: 0, End: last }[event.key];
    const target = next === undefined ? undefined : sections[next];
    if (!target) return;
    event.preventDefault();
    onSelect(target);
    document.getElementById(`tab-${target}`)?.focus();
  }
  return (
    <div role="tablist" aria-label={t('sections')}>
      {sections.map((each) => (
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
          {counts[each] ? <span className="n">{number(counts[each])}</span> : null}
        </button>
      ))}
    </div>
  );
}

import { useEffect, useState } from 'react';
import { useText } from '../hooks';
import { Codicon } from './Codicon';

interface Props {
  readonly label: string;
  readonly icon?: boolean;
  readonly onCopy: () => void;
}

/** A button that copies, and shows a confirmation for two seconds. */
export function CopyButton({ label, icon = false, onCopy }: Props) {
  const { t } = useText();
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 2000);
    return () => clearTimeout(timer);
  }, [copied]);
  const says = copied ? t('copied') : label;
  return (
    <button
      type="button"
      className={icon ? 'icon' : 'link'}
      title={icon ? says : undefined}
      aria-label={icon ? says : undefined}
      onClick={() => {
        onCopy();
        setCopied(true);
      }}
    >
      {icon ? <Codicon name={copied ? 'check' : 'copy'} /> : says}
    </button>
  );
}

import type { PlayQuestion } from '../../src/inspector/protocol/requests';
import type { ToolView } from '../../src/inspector/protocol/view';
import { useText } from '../hooks';

interface Props {
  readonly mode: PlayQuestion['mode'];
  readonly tools: readonly ToolView[];
  readonly onTry: (query: string) => void;
}

const EXAMPLES = 4;

/** The playground before the first question: its purpose, and example queries made from existing tools. */
export function Intro({ mode, tools, onTry }: Props) {
  const { t } = useText();
  return (
    <div className="hello">
      <h2>{t(mode === 'query' ? 'play.intro' : 'play.introTool')}</h2>
      <p className="dim">{t(mode === 'query' ? 'play.introWhy' : 'play.introToolWhy')}</p>
      {mode === 'query' && (
        <p className="tries">
          <span className="dim">{t('detail.examples')}</span>
          {examplesOf(tools).map((query) => (
            <button type="button" className="link" key={query} onClick={() => onTry(query)}>
              {query}
            </button>
          ))}
        </p>
      )}
    </div>
  );
}

/** Returns names of tools from all over the catalog, as words. */
function examplesOf(tools: readonly ToolView[]): string[] {
  const step = Math.max(1, Math.floor(tools.length / EXAMPLES));
  const names = Array.from({ length: EXAMPLES }, (_, index) => tools[index * step]?.name ?? '');
  const words = names.map((name) =>
    name
      .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim()
      .toLowerCase(),
  );
  return [...new Set(words)].filter(Boolean);
}

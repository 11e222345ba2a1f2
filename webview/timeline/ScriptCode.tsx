import { useMemo } from 'react';
import { useText } from '../hooks';
import { ScrollingText } from '../parts/ScrollingText';
import { type CodePiece, piecesOf } from './highlight';

interface Props {
  readonly code: string;
  /** The number of the failed line, from 1. */
  readonly failed?: number | undefined;
}

/** A script's code in the theme's colours, wrapped, with the failed line marked. */
export function ScriptCode({ code, failed }: Props) {
  const { t } = useText();
  const lines = useMemo(() => linesOf(piecesOf(code)), [code]);
  return (
    <ScrollingText className="script-code" label={t('timeline.scriptCode')}>
      {lines.map((line, index) => (
        // Lines have no other key than their index.
        // biome-ignore lint/suspicious/noArrayIndexKey: the code of a script never changes
        <code key={index} className={index + 1 === failed ? 'failed' : undefined}>
          {line.map((piece, at) =>
            piece.kind === 'plain' ? (
              piece.text
            ) : (
              // biome-ignore lint/suspicious/noArrayIndexKey: as above
              <span key={at} className={piece.kind}>
                {piece.text}
              </span>
            ),
          )}
          {index + 1 === failed && <span className="sr"> ({t('timeline.scriptLine')})</span>}
          {'\n'}
        </code>
      ))}
    </ScrollingText>
  );
}

function linesOf(pieces: readonly CodePiece[]): readonly (readonly CodePiece[])[] {
  const lines: CodePiece[][] = [[]];
  for (const { kind, text } of pieces) {
    const [first = '', ...rest] = text.split('\n');
    if (first !== '') lines.at(-1)?.push({ kind, text: first });
    for (const line of rest) lines.push(line === '' ? [] : [{ kind, text: line }]);
  }
  return lines;
}

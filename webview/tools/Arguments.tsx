import type { ToolDetail } from '../../src/inspector/protocol/view';
import { useText } from '../hooks';

/** A tool's arguments. A question mark follows each optional one. */
export function Arguments({ args }: { readonly args: ToolDetail['args'] }) {
  const { t } = useText();
  if (args.length === 0) return <p>{t('detail.noArguments')}</p>;
  return (
    <table className="schema">
      <caption>{t('detail.arguments')}</caption>
      <tbody>
        {args.map((arg) => (
          <tr key={arg.name}>
            <th scope="row">
              {arg.name}
              {!arg.required && (
                <>
                  <span aria-hidden="true">?</span>
                  <span className="sr"> {t('detail.optional')}</span>
                </>
              )}
            </th>
            <td className="ty">{arg.type}</td>
            <td>{arg.description}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

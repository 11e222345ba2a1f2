import { groupBy } from '../../core/util/groupBy';
import type { ViewInputs } from '../protocol/inputs';
import type { HostCommand } from '../protocol/requests';
import type { NoticeView } from '../protocol/view';
import { cutBytes } from '../text/bytes';
import type { StringKey, Text } from '../text/text';

/** The maximum number of diagnostics that are shown individually, so that the sections below remain visible. */
const MAX_DIAGNOSTICS = 3;
const MAX_NAMES = 5;
/** The maximum number of bytes of a message. */
const MAX_MESSAGE = 2_000;

/** Returns the problems that the user can solve, the most urgent first. */
export function noticeViews(inputs: ViewInputs, text: Text): NoticeView[] {
  const action = (command: HostCommand) => ({ label: text.t(`action.${command}` as StringKey), command });
  const notices: NoticeView[] = [];
  if (!inputs.trusted) {
    notices.push({
      kind: 'info',
      bold: text.t('notice.untrusted'),
      text: text.t('notice.untrustedText'),
      actions: [action('manageTrust')],
    });
  }
  // There is one notice for each server.
  for (const [server, tools] of groupBy(inputs.changed?.tools ?? [], (tool) => tool.server)) {
    const names = tools.map(({ name }) => name);
    notices.push({
      kind: 'warning',
      bold: text.n('notice.changed', names.length, { server }),
      text: `${new Intl.ListFormat(inputs.locale).format(names.slice(0, MAX_NAMES))}${names.length > MAX_NAMES ? ', …' : '.'} ${text.t(inputs.changed?.withheld ? 'notice.changedWithheld' : 'notice.changedTold')}`,
      actions: [
        { ...action('compareChanged'), server },
        { ...action('acceptChanged'), server },
      ],
    });
  }
  const diagnostics = inputs.diagnostics.toSorted(
    (a, b) => Number(b.severity === 'error') - Number(a.severity === 'error'),
  );
  for (const { severity, source, message } of diagnostics.slice(0, MAX_DIAGNOSTICS)) {
    // Most messages begin with the name of their setting.
    const rest = message.startsWith(`${source} `) ? message.slice(source.length + 1) : message;
    notices.push({
      kind: severity,
      bold: `${source}:`,
      text: cutBytes(rest, MAX_MESSAGE),
      actions: [action(remedy(source))],
    });
  }
  const more = diagnostics.length - MAX_DIAGNOSTICS;
  if (more > 0) {
    notices.push({
      kind: 'warning',
      bold: text.n('notice.more', more),
      text: text.t('notice.moreText'),
      actions: [action('showLog')],
    });
  }
  return notices;
}

/** Returns the command that opens the place of a problem. */
function remedy(source: string): HostCommand {
  if (source === 'toolsearch.sets') return 'selectSet';
  if (source.startsWith('toolsearch.')) return 'openSettings';
  return source.endsWith('mcp.json') ? 'openMcpJson' : 'showLog';
}

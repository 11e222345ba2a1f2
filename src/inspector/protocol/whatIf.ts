import type { WhatIf, WhatIfRow } from '../../core/whatIf/table';

/** The table of replays as the webview shows it. */
export type WhatIfView = WhatIf;
export type WhatIfRowView = WhatIfRow;

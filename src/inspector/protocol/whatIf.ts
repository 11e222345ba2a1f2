import type { WhatIf, WhatIfRow } from '../../core/whatIf/types';

/** The table of replays in the webview. */
export type WhatIfView = WhatIf;
export type WhatIfRowView = WhatIfRow;

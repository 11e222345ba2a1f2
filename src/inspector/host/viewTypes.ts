/** The panel's type: `onWebviewPanel:toolsearch.inspector` activates. */
export const INSPECTOR_VIEW_TYPE = 'toolsearch.inspector';

/** The type of the panels that show exported sessions. */
export const EXPORTED_VIEW_TYPE = 'toolsearch.exported';

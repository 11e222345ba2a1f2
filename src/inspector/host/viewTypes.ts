/** The type of the inspector's panel, which package.json uses in `onWebviewPanel:toolsearch.inspector`. */
export const INSPECTOR_VIEW_TYPE = 'toolsearch.inspector';

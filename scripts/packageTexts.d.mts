export function thirdPartyNotices(files: readonly string[]): string;
export function packagedReadme(readme: string, manifest: { readonly repository?: unknown }): string;

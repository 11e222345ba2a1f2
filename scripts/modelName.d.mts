export function offeredModel(name: string, offered: readonly string[]): string | undefined;

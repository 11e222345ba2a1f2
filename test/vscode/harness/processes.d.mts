export function commandLines(): string[];
export function faultyServers(mark: string): string[];

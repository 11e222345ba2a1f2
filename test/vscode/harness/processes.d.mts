export function commandLines(): string[];
export function faultyServers(mark: string): string[];
export function isAlive(pid: number): boolean;

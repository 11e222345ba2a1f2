export function ensureDependencies(folder: string, title: string): Promise<void>;

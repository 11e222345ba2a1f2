export function iconsOf(code: string): Promise<readonly (readonly [file: string, content: string | Uint8Array])[]>;

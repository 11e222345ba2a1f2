export declare function joinFrames(frames: readonly { readonly png: Buffer; readonly ms: number }[]): Buffer;
export declare function readFrames(apng: Buffer): { readonly ms: number; readonly pixels: Buffer }[];

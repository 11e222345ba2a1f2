export declare function pieces(buffer: Uint8Array): Iterable<Uint8Array>;

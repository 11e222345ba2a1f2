/** The names of all faults that the stand-in can produce. */
export declare const FAULTS: readonly string[];

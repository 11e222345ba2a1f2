/** Every fault that a stand-in can be told, by its name alone. */
export declare const FAULTS: readonly string[];

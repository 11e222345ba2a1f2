/** The little of SQLite's WebAssembly build that the benchmark uses; this version comes without types. */
declare module '@sqlite.org/sqlite-wasm' {
  interface Statement {
    bind(values: readonly string[]): Statement;
    stepReset(): Statement;
    finalize(): void;
  }
  interface Database {
    exec(sql: string): void;
    transaction(run: () => void): void;
    prepare(sql: string): Statement;
    selectValues(sql: string, values: readonly string[]): unknown[];
  }
  interface Options {
    wasmBinary: Uint8Array;
    print: () => void;
    printErr: () => void;
  }
  const init: (options: Options) => Promise<{ oo1: { DB: new (file: string) => Database } }>;
  export default init;
}

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
  const init: (options: { print: () => void; printErr: () => void }) => Promise<{ oo1: { DB: new (file: string) => Database } }>;
  export default init;
}

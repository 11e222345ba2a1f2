declare module 'cross-spawn' {
  /** Node's `spawn`. On Windows it also finds `.cmd` files, such as `npx`, and quotes their arguments. */
  const spawn: typeof import('node:child_process').spawn;
  export = spawn;
}

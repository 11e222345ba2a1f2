declare module 'cross-spawn' {
  /** `spawn` of Node that also finds and quotes for Windows' `.cmd` files, as `npx` is one. */
  const spawn: typeof import('node:child_process').spawn;
  export = spawn;
}

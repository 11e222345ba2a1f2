// Node 20's types have this namespace, but none of its functions.
declare namespace WebAssembly {
  function compile(bytes: Uint8Array): Promise<Module>;
}

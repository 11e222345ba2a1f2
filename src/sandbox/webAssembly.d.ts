// The types of Node 20 have the namespace, but none of its functions.
declare namespace WebAssembly {
  function compile(bytes: Uint8Array): Promise<Module>;
}

/**
 * Calls `make` with these environment variables removed, and restores them afterwards. The services' SDKs read headers
 * from the environment, and no option overrides them. Those headers are meant for other programs, may contain secrets,
 * and would replace the user's key. `make` is synchronous, so no other code runs meanwhile.
 */
export function withoutVariables<Made>(names: readonly string[], make: () => Made): Made {
  const before = names.map((name) => [name, process.env[name]] as const);
  for (const name of names) delete process.env[name];
  try {
    return make();
  } finally {
    for (const [name, value] of before) if (value !== undefined) process.env[name] = value;
  }
}

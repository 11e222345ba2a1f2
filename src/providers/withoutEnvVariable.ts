/**
 * Calls `make` with this environment variable removed, and restores it afterwards. The services' SDKs read headers from
 * the environment, and no option overrides them. Those headers are meant for other programs, may contain secrets, and
 * would replace the user's key. `make` is synchronous, so no other code runs meanwhile.
 */
export function withoutEnvVariable<Made>(name: string, make: () => Made): Made {
  const before = process.env[name];
  delete process.env[name];
  try {
    return make();
  } finally {
    if (before !== undefined) process.env[name] = before;
  }
}

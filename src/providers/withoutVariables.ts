/**
 * Calls `make` while the environment lacks these variables. The services' SDKs read headers from the environment that
 * no option overrides. They are meant for other programs, may contain their secrets, and would replace the user's key.
 * No other code runs meanwhile, and all variables are restored afterwards.
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

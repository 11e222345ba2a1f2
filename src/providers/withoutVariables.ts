/**
 * Makes something while the environment has none of these variables. The services' SDKs read headers out of it that no option
 * overrules: they are meant for other programs, may hold their secrets, and would take the place of the user's key. Nothing
 * else runs meanwhile, and all of them are back before anybody looks.
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

const DATE = /-(\d{8}|\d{4}-\d\d-\d\d)$/;

/**
 * The offered model that a `vendor/id` means: itself, or the newest of those that are it with a date. Services list
 * some models under dated ids alone, which nobody remembers.
 * @returns undefined if there is none
 */
export function offeredModel(name, offered) {
  if (offered.includes(name)) return name;
  const dated = offered.filter((model) => DATE.test(model) && model.replace(DATE, '') === name);
  return dated.sort((a, b) => digits(a).localeCompare(digits(b))).at(-1);
}

const digits = (model) => DATE.exec(model)[1].replaceAll('-', '');

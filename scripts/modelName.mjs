const DATE = /-(\d{8}|\d{4}-\d\d-\d\d)$/;

/**
 * Finds the offered model for a `vendor/id`: the model with this id, or the newest one whose id is this id with a date.
 * Some services list models only under dated ids, which are hard to remember.
 * @returns undefined if there is none
 */
export function offeredModel(name, offered) {
  if (offered.includes(name)) return name;
  const dated = offered.filter((model) => DATE.test(model) && model.replace(DATE, '') === name);
  return dated.sort((a, b) => digits(a).localeCompare(digits(b))).at(-1);
}

const digits = (model) => DATE.exec(model)[1].replaceAll('-', '');

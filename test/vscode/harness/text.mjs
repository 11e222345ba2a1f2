/** The text that a person sees: hidden parts are left out, lines are broken where they are on the screen. */
export async function visibleText(locator, options) {
  return (await locator.innerText(options)).trim();
}

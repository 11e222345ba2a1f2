/** The text that the user sees: without hidden parts, with the line breaks of the screen. */
export async function visibleText(locator, options) {
  return (await locator.innerText(options)).trim();
}

/**
 * Resolves once nothing on the page has appeared, disappeared or moved for this many frames. Then the page has all
 * answers of its host, and has measured its layout. For `page.evaluate`.
 */
export function untilStill(frames = 10) {
  return new Promise((resolve) => {
    let before = '';
    let still = 0;
    const look = () => {
      // Leaves out texts, since a clock changes all the time.
      const now = [...document.querySelectorAll('#root *')]
        .map((element) => element.getAttribute('style') ?? '')
        .join();
      still = now === before ? still + 1 : 0;
      before = now;
      if (still < frames) requestAnimationFrame(look);
      else resolve();
    };
    look();
  });
}

/**
 * Finds unreadable words: cut by a box that doesn't scroll or by the window's edge, or written over each other. For
 * `page.evaluate`. It ignores texts that may be cut: questions, tools' names and arguments, which may be of any length
 * and appear elsewhere in full, and the figures in a bar, which disappear if there is no room and are listed below it.
 */
export function unreadable() {
  const MAY_BE_CUT = '.asked, .q, .name, .args, .fit';
  const hides = (value) => value === 'hidden' || value === 'clip';
  const scrolls = (value) => value === 'auto' || value === 'scroll';
  const found = [];
  const texts = [];
  const walker = document.createTreeWalker(document.querySelector('#root'), NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { currentNode: node } = walker;
    const { parentElement: parent } = node;
    // An element of one pixel is only for screen readers.
    if (!node.data.trim() || !parent.checkVisibility({ visibilityProperty: true }) || parent.closest('.sr')) continue;
    if (parent.closest(MAY_BE_CUT)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const text = range.getBoundingClientRect();
    let cut = false;
    let scrolled = false;
    let fixed = false;
    for (let box = parent; box && box !== document.body; box = box.parentElement) {
      const { overflowX, overflowY, position } = getComputedStyle(box);
      const { left, right, top, bottom } = box.getBoundingClientRect();
      if (hides(overflowX) && !scrolled && (text.right > right + 1 || text.left < left - 1)) cut = true;
      if (hides(overflowY) && (text.bottom > bottom + 2 || text.top < top - 2)) cut = true;
      // The page only scrolls vertically.
      if (scrolls(overflowX) && !box.classList.contains('page')) scrolled = true;
      if (position === 'sticky' || position === 'fixed') fixed = true;
    }
    if (!scrolled && text.right > innerWidth + 1) cut = true;
    if (cut) found.push(`cut: ${node.data}`);
    if (fixed || !scrolled) texts.push({ data: node.data, lines: [...range.getClientRects()], fixed });
  }
  const over = (a, b) =>
    Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 &&
    Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 6;
  for (const [index, one] of texts.entries()) {
    for (const other of texts.slice(index + 1)) {
      if (one.fixed !== other.fixed) continue;
      if (one.lines.some((a) => other.lines.some((b) => over(a, b))))
        found.push(`one over the other: ${one.data} | ${other.data}`);
    }
  }
  return found;
}

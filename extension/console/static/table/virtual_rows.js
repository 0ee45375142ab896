const EDGE = 2;

/**
 * Rows of a long table of which only those near the screen exist. Empty rows above and below keep the height, so that
 * the browser's own scrolling works; every row has the same height, the style's `--row-height`.
 *
 * Style and layout of a screen of rows take most of a frame. After a jump only the rows on the screen are built, and
 * those around it in the next frame.
 *
 * @template Row
 */
export class VirtualRows {
  #first = 0;
  #last = 0;
  #due = false;
  /** @type {number | null} rows that are drawn wherever they are, while the page is printed */ #most = null;
  /** @type {Row[]} */ #rows = [];

  /**
   * @param {HTMLElement} body of the table
   * @param {(rows: Row[], first: number) => HTMLElement[]} build nodes of the rows near the screen
   * @param {AbortSignal} signal ends the watch of the scroll position
   */
  constructor(body, build, signal) {
    this.body = body;
    this.build = build;
    this.above = spacer();
    this.below = spacer();
    const look = () => this.#look();
    window.addEventListener("scroll", look, { passive: true, signal });
    window.addEventListener("resize", look, { passive: true, signal });
  }

  /** Rows near the screen. */
  get shown() {
    return this.#rows.slice(this.#first, this.#last);
  }

  /** @param {Row[]} rows */
  show(rows) {
    this.#rows = rows;
    this.paint();
  }

  /** Whether rows are drawn for paper. */
  get isForPaper() {
    return this.#most !== null;
  }

  /**
   * Draw all rows until `drawNear`, wherever they are.
   *
   * @param {number} most
   * @returns {number} rows beyond the most, which are left out
   */
  drawAll(most) {
    this.#most = most;
    this.paint();
    return this.#rows.length - this.#last;
  }

  /** Draw only the rows near the screen again. */
  drawNear() {
    this.#most = null;
    this.paint();
  }

  /** Build the rows near the screen: half a screen above and below. */
  paint() {
    this.#paint(Math.ceil(window.innerHeight / this.#rowHeight() / 2));
  }

  /** @param {number} margin rows beyond the screen */
  #paint(margin) {
    const height = this.#rowHeight();
    [this.#first, this.#last] = this.#most === null
      ? this.#near(height, margin) : [0, Math.min(this.#rows.length, this.#most)];
    this.above.style.height = `${this.#first * height}px`;
    this.below.style.height = this.isForPaper ? "0" : `${(this.#rows.length - this.#last) * height}px`;
    const nodes = this.build(this.shown, this.#first);
    place(this.body, [this.above, ...nodes, this.below]);
  }

  /**
   * First row near the screen, and the one after the last.
   *
   * @param {number} height of a row
   * @param {number} margin rows beyond the screen
   * @returns {[number, number]}
   */
  #near(height, margin) {
    const { top } = this.body.getBoundingClientRect();
    const screen = Math.ceil(window.innerHeight / height);
    const most = Math.max(0, this.#rows.length - screen);
    const at = Math.min(most, Math.max(0, Math.floor(-top / height)));
    return [Math.max(0, at - margin), Math.min(this.#rows.length, at + screen + 1 + margin)];
  }

  /**
   * Scroll a row onto the screen.
   *
   * @param {number} index
   * @param {number} covered height at the top of the screen that something covers
   */
  reveal(index, covered) {
    const height = this.#rowHeight();
    const top = this.body.getBoundingClientRect().top + index * height;
    if (top < covered) window.scrollBy(0, top - covered);
    else if (top + height > window.innerHeight) window.scrollBy(0, top + height - window.innerHeight);
    this.paint();
  }

  #look() {
    if (this.#due || this.isForPaper) return;
    this.#due = true;
    requestAnimationFrame(() => {
      this.#due = false;
      if (this.isForPaper) return;
      const height = this.#rowHeight();
      const { top, bottom } = this.body.getBoundingClientRect();
      const builtTop = top + this.#first * height;
      const builtBottom = bottom - (this.#rows.length - this.#last) * height;
      const isCovered = (builtTop <= 0 || this.#first === 0)
        && (builtBottom >= window.innerHeight || this.#last === this.#rows.length);
      if (isCovered) return;
      const isNear = builtTop < window.innerHeight && builtBottom > 0;
      if (isNear) {
        this.paint();
      } else {
        this.#paint(EDGE);
        this.#look();
      }
    });
  }

  #rowHeight() {
    return Number.parseFloat(getComputedStyle(this.body).getPropertyValue("--row-height")) || 36;
  }
}

function spacer() {
  const row = document.createElement("tr");
  row.className = "spacer";
  row.setAttribute("aria-hidden", "true");
  return row;
}

/**
 * Put the nodes in order, moving only misplaced ones, so that the focus stays.
 *
 * @param {HTMLElement} parent
 * @param {HTMLElement[]} nodes
 */
function place(parent, nodes) {
  const wanted = new Set(nodes);
  for (const child of [...parent.children]) if (child instanceof HTMLElement && !wanted.has(child)) child.remove();
  let next = parent.firstElementChild;
  for (const node of nodes) {
    if (node === next) next = next.nextElementSibling;
    else parent.insertBefore(node, next);
  }
}

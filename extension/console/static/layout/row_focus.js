import { refill } from "../dom.js";

/**
 * Put `nodes` in the place of what a parent with rows has. The keyboard stays with its control; where that is gone it
 * goes to the same subject in another row (`data-subject`), to the row that took the place, or to a heading.
 *
 * @param {Element} parent
 * @param {Element[]} nodes
 * @param {HTMLElement | null} heading
 */
export function refillRows(parent, nodes, heading) {
  const control = document.activeElement;
  const row = control && parent.contains(control) ? control.closest("tr") : null;
  const section = row?.closest("section")?.getAttribute("aria-label");
  const place = row ? rowsOf(parent, section).indexOf(row) : -1;
  refill(parent, nodes);
  if (!control || !row || document.activeElement !== document.body) return;
  const { subject } = row.dataset;
  const same = subject ? rowsOf(parent).find((each) => each.dataset.subject === subject) : undefined;
  const left = rowsOf(parent, section);
  (controlOf(same ?? left[Math.min(place, left.length - 1)], control) ?? heading)?.focus();
}

/**
 * Return the control of a row that says the same as another one, or its first.
 *
 * @param {HTMLElement | undefined} row
 * @param {Element} other
 * @returns {HTMLElement | undefined}
 */
function controlOf(row, other) {
  if (!row) return undefined;
  const controls = /** @type {HTMLElement[]} */ ([...row.querySelectorAll("button, input")]);
  return controls.find(({ textContent }) => textContent === other.textContent) ?? controls[0];
}

/**
 * @param {Element} parent
 * @param {string | null} [section] label of the only section wanted
 */
function rowsOf(parent, section) {
  const rows = /** @type {HTMLElement[]} */ ([...parent.querySelectorAll("tr:has(td)")]);
  return rows.filter((row) => !section || row.closest("section")?.getAttribute("aria-label") === section);
}

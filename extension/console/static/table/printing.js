import { element } from "../dom.js";
import { text } from "../language/catalogue.js";

/** Rows on paper: some forty pages and less than 2 MB. */
const MOST = 2_000;

/**
 * Draw all rows of a long table while it is printed, and only those near the screen again afterwards.
 *
 * @param {import("./virtual_rows.js").VirtualRows<unknown>} rows
 * @param {HTMLElement} table is followed on paper by the number of rows that are left out
 * @param {() => string} scope says which accounts these are
 * @param {AbortSignal} signal
 */
export function printAllRows(rows, table, scope, signal) {
  const said = element("p", { class: "only-printed", attributes: { id: "printed-scope" } });
  table.before(said);
  const rest = element("p", { class: "only-printed", attributes: { id: "left-unprinted", hidden: true } });
  table.after(rest);
  window.addEventListener("beforeprint", () => {
    said.textContent = scope();
    const left = rows.drawAll(MOST);
    rest.hidden = left === 0;
    rest.textContent = left ? text("results.left_unprinted", { n: left, most: MOST }) : "";
  }, { signal });
  window.addEventListener("afterprint", () => {
    rest.hidden = true;
    rows.drawNear();
  }, { signal });
}

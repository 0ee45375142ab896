import { byId } from "../dom.js";

/**
 * Remember where the keyboard is in a table whose rows are about to be replaced.
 *
 * @param {HTMLElement} table
 * @param {(id: number) => boolean} isListed whether the table still has an account, on the screen or off it
 * @returns {() => void} to be called when the rows are replaced: the focus follows to the successor of its control;
 *     where its row is gone, to the row in its place, else to the heading
 */
export function keptFocus(table, isListed) {
  const { activeElement: active } = document;
  if (!(active instanceof HTMLElement) || !table.contains(active) || !active.dataset.control) return () => {};
  const { control } = active.dataset;
  const place = active.closest("tr")?.getAttribute("aria-rowindex");
  return () => {
    if (document.activeElement !== document.body) return;
    const successor = table.querySelector(`[data-control="${CSS.escape(control)}"]`);
    const found = successor ?? (isListed(Number(control.split("-").at(-1))) ? null : inPlace(table, place));
    if (found instanceof HTMLElement) found.focus({ preventScroll: true });
  };
}

/**
 * @param {HTMLElement} table
 * @param {string | null | undefined} place
 */
function inPlace(table, place) {
  const rows = [...table.querySelectorAll("tbody tr[aria-rowindex]")];
  const row = rows.find((each) => each.getAttribute("aria-rowindex") === place) ?? rows.at(-1);
  return table.hidden || !row ? byId("results-heading") : row.querySelector("[data-control^='expand-']");
}

import { element } from "../../dom.js";
import { text } from "../../language/catalogue.js";
import { COLUMNS, hiddenColumns, hideColumns } from "../../table/columns.js";

/**
 * Build the menu that shows and hides columns of a table.
 *
 * @param {HTMLElement} table
 * @param {import("../../table/columns.js").ColumnId} sorted column of the order, shown where this browser hides it
 */
export function columnChooser(table, sorted) {
  const hidden = hiddenColumns();
  hidden.delete(sorted);
  const apply = () => { table.dataset.hidden = [...hidden].join(" "); };
  /** @type {(() => void)[]} */
  const tellers = [];
  const boxes = COLUMNS.filter((column) => column.optional).map(({ id }) => {
    const box = element("input", {
      attributes: { type: "checkbox" },
      on: {
        change: () => {
          if (box.checked) hidden.delete(id);
          else hidden.add(id);
          hideColumns(hidden);
          apply();
        },
      },
    });
    box.checked = !hidden.has(id);
    const note = element("small", { class: "quiet" });
    const tell = () => { note.textContent = box.checked && !isShown(table, id) ? text("results.no_room") : ""; };
    box.addEventListener("change", tell);
    tellers.push(tell);
    return element("label", {}, box, text(`columns.${id}`), note);
  });
  apply();
  return element("details", { class: "menu", on: { toggle: () => tellers.forEach((tell) => tell()) } },
    element("summary", { text: text("results.columns") }), element("div", { class: "menu-body" }, ...boxes));
}

/**
 * Return whether the head of a column can be seen; a narrow window leaves out what the side panel repeats.
 *
 * @param {HTMLElement} table
 * @param {string} column
 */
function isShown(table, column) {
  return table.querySelector(`thead .${column}`)?.checkVisibility() ?? false;
}

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
    return element("label", {}, box, text(`columns.${id}`));
  });
  apply();
  return element("details", { class: "menu" },
    element("summary", { text: text("results.columns") }), element("div", { class: "menu-body" }, ...boxes));
}

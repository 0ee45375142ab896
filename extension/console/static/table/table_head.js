import { element } from "../dom.js";
import { text } from "../language/catalogue.js";
import { COLUMNS } from "./columns.js";

/**
 * @import { Column, DataColumn } from "./columns.js"
 */

/** Column headers: sorting, and selection of all rows that pass the filters. */
export class TableHead {
  /**
   * @param {HTMLElement} head
   * @param {{onSort: (column: DataColumn) => void, onSelectAll: (selected: boolean) => void}} handlers
   */
  constructor(head, { onSort, onSelectAll }) {
    this.box = element("input", {
      attributes: { type: "checkbox", "aria-label": text("table.select_all") },
      on: { change: () => onSelectAll(this.box.checked) },
    });
    /** @type {Map<string, HTMLElement>} */
    this.cells = new Map(COLUMNS.map((column) => [column.id, this.#cell(column, onSort)]));
    head.replaceChildren(element("tr", { attributes: { "aria-rowindex": 1 } }, ...this.cells.values()));
  }

  /**
   * @param {import("./query.js").Order} order
   * @param {{all: boolean, some: boolean}} selected of the rows that pass the filters
   */
  render(order, selected) {
    for (const { id, sortable } of COLUMNS) {
      if (!sortable) continue;
      const direction = order.column !== id ? "none" : order.descending ? "descending" : "ascending";
      this.cells.get(id)?.setAttribute("aria-sort", direction);
    }
    this.box.checked = selected.all;
    this.box.indeterminate = selected.some && !selected.all;
  }

  /**
   * @param {Column} column
   * @param {(column: DataColumn) => void} onSort
   */
  #cell({ id, sortable }, onSort) {
    const cell = element("th", { class: id, attributes: { scope: "col" } });
    if (id === "select") cell.append(element("label", {}, this.box));
    else if (!sortable) cell.textContent = text(`columns.${id}`);
    else {
      const by = /** @type {DataColumn} */ (id);
      cell.append(element("button", {
        class: "sort", text: text(`columns.${id}`), attributes: { type: "button" }, on: { click: () => onSort(by) },
      }));
    }
    return cell;
  }
}

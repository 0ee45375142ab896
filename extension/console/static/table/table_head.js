import { element } from "../dom.js";
import { COLUMNS } from "./columns.js";

/**
 * @import { Column, DataColumn } from "./columns.js"
 */

/** Column headers: sorting, and selection of the page. */
export class TableHead {
  /**
   * @param {HTMLElement} head
   * @param {{onSort: (column: DataColumn) => void, onSelectPage: (selected: boolean) => void}} handlers
   */
  constructor(head, { onSort, onSelectPage }) {
    this.box = element("input", {
      attributes: { type: "checkbox", "aria-label": "Select this page" },
      on: { change: () => onSelectPage(this.box.checked) },
    });
    /** @type {Map<string, HTMLElement>} */
    this.cells = new Map(COLUMNS.map((column) => [column.id, this.#cell(column, onSort)]));
    head.replaceChildren(element("tr", {}, ...this.cells.values()));
  }

  /**
   * @param {import("./query.js").Order} order
   * @param {{all: boolean, some: boolean}} selected of this page
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
  #cell({ id, label, sortable }, onSort) {
    const cell = element("th", { class: id, attributes: { scope: "col" } });
    if (id === "select") cell.append(this.box);
    else if (!sortable || id === "change") cell.textContent = label;
    else {
      cell.append(element("button", {
        class: "sort", text: label, attributes: { type: "button" }, on: { click: () => onSort(id) },
      }));
    }
    return cell;
  }
}

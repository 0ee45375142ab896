import { arrange, byId, within } from "../dom.js";
import { countVerdicts, filterRows, isOnHold, pageOf, sortRows } from "./query.js";
import { Pager } from "./pager.js";
import { rowNodes } from "./row_view.js";
import { TableHead } from "./table_head.js";
import { VerdictChips } from "./verdict_chips.js";

/**
 * @import { Flag } from "../actions/account_flags.js"
 * @import { DataColumn } from "./columns.js"
 * @import { Order } from "./query.js"
 * @import { RowHandlers } from "./row_view.js"
 * @import { Result, Row } from "./rows.js"
 */

/**
 * Table of accounts: filtered, sorted, one page at a time. Only changed rows are rebuilt, so that thousands of new
 * results leave focus and scroll position alone. Dispatches `render` when the filtered rows may have changed.
 */
export class TableView extends EventTarget {
  /** @type {Row[]} */ #rows = [];
  /** @type {Row[]} */ #filtered = [];
  /** @type {Row[]} */ #shown = [];
  /** @type {Map<number, {key: string, row: Row, nodes: HTMLElement[]}>} */ #built = new Map();
  /** @type {Set<number>} */ #expanded = new Set();
  /** @type {Order} */ #order = { column: "name", descending: false };
  #page = 0;
  #emptyText = "";

  /**
   * @param {import("./vocabulary.js").Vocabulary} vocabulary
   * @param {import("./selection.js").Selection} selection
   * @param {{onSwitch: (id: number, disabled: boolean) => void, onDelete: (id: number) => void,
   *     onFlag: (id: number, flag: Flag, on: boolean) => void,
   *     offer: (row: Row) => HTMLElement | null, onEvidence: (result: Result) => void}} handlers `onEvidence` is called
   *     for an expanded row whose evidence is not there yet
   */
  constructor(vocabulary, selection, { onEvidence, ...handlers }) {
    super();
    this.onEvidence = onEvidence;
    this.vocabulary = vocabulary;
    this.selection = selection;
    /** @type {RowHandlers} */
    this.handlers = {
      ...handlers,
      onSelect: (id, selected) => selection.set([id], selected),
      onExpand: (id) => this.#toggle(id),
    };
    this.body = within(byId("results"), "tbody", HTMLElement);
    this.search = byId("search", HTMLInputElement);
    this.head = new TableHead(within(byId("results"), "thead", HTMLElement), {
      onSort: (column) => this.#sort(column),
      onSelectPage: (selected) =>
        selection.set(this.#shown.filter((row) => row.account).map((row) => row.id), selected),
    });
    this.chips = new VerdictChips(vocabulary, () => this.#restart());
    this.pager = new Pager((page) => this.#turn(page));
    this.search.addEventListener("input", () => this.#restart());
    selection.addEventListener("change", () => this.#paint());
  }

  /** Rows that pass the filters, on all pages. */
  get filtered() {
    return this.#filtered;
  }

  /**
   * @param {Row[]} rows
   * @param {string} emptyText explanation of an empty table
   */
  show(rows, emptyText) {
    this.#rows = this.#sorted(rows);
    this.#emptyText = emptyText;
    this.render();
  }

  render() {
    this.chips.render(countVerdicts(this.#rows), this.#rows.filter(isOnHold).length);
    // Sorted once for each change of the rows; a filter keeps the order, so typing in the search stays quick.
    this.#filtered = filterRows(this.#rows, {
      search: this.search.value, verdicts: this.chips.chosen, onHold: this.chips.onHold,
    });
    const shown = pageOf(this.#filtered, this.#page);
    this.#page = shown.page;
    this.#shown = shown.rows;
    this.pager.render(shown, this.#filtered.length);
    const empty = byId("empty");
    empty.hidden = this.#filtered.length > 0;
    empty.textContent = this.#rows.length
      ? "No account matches the search and the selected statuses." : this.#emptyText;
    byId("results").hidden = this.#filtered.length === 0;
    this.#paint();
    this.dispatchEvent(new Event("render"));
  }

  #paint() {
    const active = document.activeElement;
    const focused = active instanceof HTMLElement ? active.dataset.control : undefined;
    const built = new Map();
    for (const row of this.#shown) built.set(row.id, this.#build(row));
    this.#built = built;
    arrange(this.body, [...built.values()].flatMap(({ nodes }) => nodes));
    const chosen = this.#shown.filter((row) => this.selection.has(row.id)).length;
    this.head.render(this.#order, { all: chosen > 0 && chosen === this.#shown.length, some: chosen > 0 });
    if (focused && document.activeElement === document.body) this.#focus(focused);
  }

  /** @param {Row} row */
  #build(row) {
    const state = { expanded: this.#expanded.has(row.id), selected: this.selection.has(row.id) };
    if (state.expanded && row.result && !row.result.attempts) this.onEvidence(row.result);
    const key = `${state.expanded} ${state.selected}`;
    const known = this.#built.get(row.id);
    if (known && known.row === row && known.key === key) return known;
    return { key, row, nodes: rowNodes(row, state, this.vocabulary, this.handlers) };
  }

  /** @param {string} control */
  #focus(control) {
    const found = this.body.querySelector(`[data-control="${CSS.escape(control)}"]`);
    if (found instanceof HTMLElement) found.focus();
  }

  /** @param {number} id */
  #toggle(id) {
    if (!this.#expanded.delete(id)) this.#expanded.add(id);
    this.#paint();
  }

  /** @param {DataColumn} column */
  #sort(column) {
    const again = this.#order.column === column;
    this.#order = { column, descending: again && !this.#order.descending };
    this.#rows = this.#sorted(this.#rows);
    this.#restart();
  }

  /** @param {Row[]} rows */
  #sorted(rows) {
    return sortRows(rows, this.#order, this.vocabulary.tokens);
  }

  /** @param {number} page */
  #turn(page) {
    this.#page = page;
    this.render();
    byId("results-heading").focus();
  }

  #restart() {
    this.#page = 0;
    this.render();
  }
}

import { arrange, byId } from "../dom.js";
import { countVerdicts, filterRows, pageOf, sortRows } from "./query.js";
import { Pager } from "./pager.js";
import { rowNodes } from "./row_view.js";
import { TableHead } from "./table_head.js";
import { VerdictChips } from "./verdict_chips.js";

/**
 * The table: filtered, sorted, one page at a time. Only rows that have changed are built anew, so a run that lands
 * thousands of results does not disturb whoever reads or tabs through the page. Dispatches `render` when what passes
 * the filters may have changed.
 */
export class TableView extends EventTarget {
  /** @type {import("./rows.js").Row[]} */ #rows = [];
  /** @type {import("./rows.js").Row[]} */ #filtered = [];
  /** @type {import("./rows.js").Row[]} */ #shown = [];
  /** @type {Map<number, {key: string, row: import("./rows.js").Row, nodes: HTMLElement[]}>} */ #built = new Map();
  /** @type {Set<number>} */ #expanded = new Set();
  #order = { column: "name", descending: false };
  #page = 0;
  #emptyText = "";

  /**
   * @param {import("./vocabulary.js").Vocabulary} vocabulary
   * @param {import("./selection.js").Selection} selection
   * @param {{onSwitch: (id: number, disabled: boolean) => void, onDelete: (id: number) => void,
   *     onFlag: (id: number, flag: string, on: boolean) => void,
   *     offer: (row: import("./rows.js").Row) => HTMLElement | null}} handlers
   */
  constructor(vocabulary, selection, handlers) {
    super();
    this.vocabulary = vocabulary;
    this.selection = selection;
    this.handlers = {
      ...handlers,
      onSelect: (id, selected) => selection.set([id], selected),
      onExpand: (id) => this.#toggle(id),
    };
    this.body = byId("results").querySelector("tbody");
    this.search = byId("search");
    this.head = new TableHead(byId("results").querySelector("thead"), {
      onSort: (column) => this.#sort(column),
      onSelectPage: (selected) =>
        selection.set(this.#shown.filter((row) => row.account).map((row) => row.id), selected),
    });
    this.chips = new VerdictChips(vocabulary, () => this.#restart());
    this.pager = new Pager((page) => this.#turn(page));
    this.search.addEventListener("input", () => this.#restart());
    selection.addEventListener("change", () => this.#paint());
  }

  /** The rows that pass the filters, on all pages. */
  get filtered() {
    return this.#filtered;
  }

  /**
   * @param {import("./rows.js").Row[]} rows
   * @param {string} emptyText what is said when there are none
   */
  show(rows, emptyText) {
    this.#rows = this.#sorted(rows);
    this.#emptyText = emptyText;
    this.render();
  }

  render() {
    this.chips.render(countVerdicts(this.#rows));
    // Sorted once for each change of the rows; a filter keeps the order, so typing in the search stays quick.
    this.#filtered = filterRows(this.#rows, { search: this.search.value, verdicts: this.chips.chosen });
    const shown = pageOf(this.#filtered, this.#page);
    this.#page = shown.page;
    this.#shown = shown.rows;
    this.pager.render(shown, this.#filtered.length);
    const empty = byId("empty");
    empty.hidden = this.#filtered.length > 0;
    empty.textContent = this.#rows.length ? "No account matches the search and the verdicts chosen." : this.#emptyText;
    byId("results").hidden = this.#filtered.length === 0;
    this.#paint();
    this.dispatchEvent(new Event("render"));
  }

  #paint() {
    const focused = /** @type {HTMLElement | null} */ (document.activeElement)?.dataset.control;
    const built = new Map();
    for (const row of this.#shown) built.set(row.id, this.#build(row));
    this.#built = built;
    arrange(this.body, [...built.values()].flatMap(({ nodes }) => nodes));
    const chosen = this.#shown.filter((row) => this.selection.has(row.id)).length;
    this.head.render(this.#order, { all: chosen > 0 && chosen === this.#shown.length, some: chosen > 0 });
    if (focused && document.activeElement === document.body) this.#focus(focused);
  }

  #build(row) {
    const state = { expanded: this.#expanded.has(row.id), selected: this.selection.has(row.id) };
    const key = `${state.expanded} ${state.selected}`;
    const known = this.#built.get(row.id);
    if (known && known.row === row && known.key === key) return known;
    return { key, row, nodes: rowNodes(row, state, this.vocabulary, this.handlers) };
  }

  #focus(control) {
    /** @type {HTMLElement | null} */ (this.body.querySelector(`[data-control="${CSS.escape(control)}"]`))?.focus();
  }

  #toggle(id) {
    if (!this.#expanded.delete(id)) this.#expanded.add(id);
    this.#paint();
  }

  #sort(column) {
    const again = this.#order.column === column;
    this.#order = { column, descending: again && !this.#order.descending };
    this.#rows = this.#sorted(this.#rows);
    this.#restart();
  }

  #sorted(rows) {
    return sortRows(rows, this.#order, this.vocabulary.tokens);
  }

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

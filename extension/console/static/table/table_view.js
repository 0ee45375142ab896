import { byId, within } from "../dom.js";
import { text } from "../language/catalogue.js";
import { keptFocus } from "../layout/kept_focus.js";
import { Slices, sortInSlices } from "../scheduling/slices.js";
import { extentText } from "./extent.js";
import { FilterBar } from "./filter_bar.js";
import { comparisonOf, conditionOf, countBy, countVerdicts, isOnHold, orderOf, readOrderOf } from "./query.js";
import { rowNode } from "./row_view.js";
import { TableHead } from "./table_head.js";
import { VerdictChips } from "./verdict_chips.js";
import { VirtualRows } from "./virtual_rows.js";

/**
 * @import { DataColumn } from "./columns.js"
 * @import { Order } from "./query.js"
 * @import { RowHandlers } from "./row_view.js"
 * @import { Row } from "./rows.js"
 * @import { Extent } from "./extent.js"
 */

/**
 * Table of accounts: filtered and sorted in slices, of which only the rows near the screen exist. Only changed rows are
 * rebuilt, so that thousands of new results leave focus and scroll position alone. Dispatches `render` when the
 * filtered rows may have changed, `open` when evidence is asked for, `enter` when it was asked for at its row, and
 * `visible` when other rows came near the screen.
 */
export class TableView extends EventTarget {
  /** @type {Row[]} */ #given = [];
  /** @type {Row[]} */ #filtered = [];
  /** @type {Map<number, {key: string, row: Row, node: HTMLElement}>} */ #built = new Map();
  /** @type {Extent} */ #extent = { total: null, isWhole: false };
  #turn = 0;
  #emptyText = "";
  /** @type {number | null} account to scroll to once its row exists */ #awaited = null;

  /**
   * @param {import("./vocabulary.js").Vocabulary} vocabulary
   * @param {import("./selection.js").Selection} selection
   * @param {import("../shell/query_state.js").QueryState} query
   * @param {Omit<RowHandlers, "onSelect" | "onExpand">} handlers
   * @param {AbortSignal} signal
   */
  constructor(vocabulary, selection, query, handlers, signal) {
    super();
    this.vocabulary = vocabulary;
    this.selection = selection;
    this.query = query;
    /** @type {number | null} account whose evidence is open */ this.opened = null;
    /** @type {number | null} account that the keyboard is on */ this.current = null;
    /** @type {Map<number, string[]>} last statuses by account, the oldest first */ this.recent = new Map();
    /** @type {RowHandlers} */
    this.handlers = {
      ...handlers,
      onSelect: (id, selected, isRange) => selection.pick(id, selected, isRange),
      onExpand: (id) => {
        const isOpening = id !== this.opened;
        this.open(isOpening ? id : null);
        if (isOpening) this.dispatchEvent(new Event("enter"));
      },
    };
    this.table = byId("results");
    this.rows = new VirtualRows(within(this.table, "tbody", HTMLElement),
      (rows, first) => this.#nodes(rows, first), signal);
    this.head = new TableHead(within(this.table, "thead", HTMLElement), {
      onSort: (column) => this.#sort(column),
      onSelectAll: (selected) =>
        selection.set(this.#filtered.filter((row) => row.account).map((row) => row.id), selected),
    });
    this.filterBar = new FilterBar(query, () => this.render());
    this.chips = new VerdictChips(vocabulary, (verdicts, held) => this.filterBar.chooseVerdicts(verdicts, held));
    signal.addEventListener("abort", () => { this.#turn += 1; });
    selection.addEventListener("change", () => this.paint());
    query.addEventListener("change", () => {
      this.filterBar.restore();
      this.render();
    });
  }

  /** Rows that pass the filters, in order. */
  get filtered() {
    return this.#filtered;
  }

  /** @returns {Order} the worst status first, unless the operator chose another order */
  get order() {
    return orderOf(this.query.get("sort"));
  }

  /** The same order, as the service takes it. */
  get readOrder() {
    return readOrderOf(this.order);
  }

  /**
   * @param {Row[]} rows
   * @param {string} emptyText explanation of an empty table
   * @param {Extent} extent
   */
  async show(rows, emptyText, extent) {
    this.#given = rows;
    this.#extent = extent;
    this.#emptyText = emptyText;
    await this.render();
  }

  /** Filter and sort in slices; a newer call ends an older one. */
  async render() {
    const turn = ++this.#turn;
    const slices = new Slices();
    const rows = this.#given;
    const { filters } = this.filterBar;
    const holds = conditionOf(filters, Date.now());
    /** @type {Row[]} */
    const found = [];
    for (const [at, row] of rows.entries()) {
      if (holds(row)) found.push(row);
      if (at % 500 === 499) await slices.rest();
    }
    const sorted = await sortInSlices(found, comparisonOf(this.order, this.vocabulary.worstFirst), slices);
    if (turn !== this.#turn) return;
    this.#filtered = sorted;
    this.chips.render(countVerdicts(rows), rows.filter(isOnHold).length, filters, this.#extent);
    await slices.rest();
    if (this.#extent.isWhole) {
      this.filterBar.offer({
        actions: countBy(rows, (row) => row.action),
        statuses: countBy(rows, (row) => String(row.status ?? "none")),
        hosts: countBy(rows, (row) => row.host),
        held: filters.onHold ? 0 : rows.filter(isOnHold).length,
      });
    }
    await slices.rest();
    if (turn === this.#turn) this.#present();
  }

  #present() {
    const empty = byId("empty");
    empty.hidden = this.#filtered.length > 0;
    empty.textContent = this.#given.length && this.#extent.isWhole
      ? text("results.no_match") : this.#emptyText;
    this.table.hidden = this.#filtered.length === 0;
    this.table.setAttribute("aria-rowcount", String(this.#filtered.length + 1));
    byId("count").textContent = extentText(this.#filtered.length, this.#extent, this.filterBar.isUsed);
    this.rows.show(this.#filtered);
    if (this.#awaited !== null) this.reveal(this.#awaited);
    this.#paintHead();
    this.dispatchEvent(new Event("render"));
  }

  /** Build changed rows near the screen anew. */
  paint() {
    this.rows.paint();
    this.#paintHead();
  }

  /**
   * Open the evidence of an account, or close it.
   *
   * @param {number | null} id
   */
  open(id) {
    this.opened = id;
    if (id !== null) this.current = id;
    this.paint();
    this.dispatchEvent(new Event("open"));
  }

  /**
   * Move the keyboard's row.
   *
   * @param {number} step
   */
  move(step) {
    if (!this.#filtered.length) return;
    const at = this.#filtered.findIndex(({ id }) => id === this.current);
    const next = Math.min(this.#filtered.length - 1, Math.max(0, at < 0 ? 0 : at + step));
    this.current = this.#filtered[next].id;
    this.rows.reveal(next, this.#covered);
    this.#focus(`expand-${this.current}`);
    if (this.opened !== null) this.open(this.current);
  }

  /**
   * Scroll the row of an account onto the screen, as soon as it is among the rows.
   *
   * @param {number} id
   */
  reveal(id) {
    const at = this.#filtered.findIndex((row) => row.id === id);
    this.#awaited = at < 0 ? id : null;
    if (at >= 0) this.rows.reveal(at, this.#covered);
  }

  /** Height at the top of the screen that the sticky parts cover. */
  get #covered() {
    return within(this.table, "thead", HTMLElement).getBoundingClientRect().height + byId("bulk").offsetHeight;
  }

  #paintHead() {
    const chosen = this.#filtered.filter((row) => this.selection.has(row.id)).length;
    this.head.render(this.order, { all: chosen > 0 && chosen === this.#filtered.length, some: chosen > 0 });
  }

  /**
   * @param {Row[]} rows
   * @param {number} first
   */
  #nodes(rows, first) {
    const keepFocus = keptFocus(this.table, (id) => this.#filtered.some((row) => row.id === id));
    const built = new Map();
    for (const [at, row] of rows.entries()) built.set(row.id, this.#build(row, first + at));
    this.#built = built;
    queueMicrotask(keepFocus); // rows are replaced after this call
    if (!this.rows.isForPaper) this.dispatchEvent(new CustomEvent("visible", { detail: rows.map(({ id }) => id) }));
    return [...built.values()].map(({ node }) => node);
  }

  /**
   * @param {Row} row
   * @param {number} index
   */
  #build(row, index) {
    const state = {
      expanded: this.opened === row.id, selected: this.selection.has(row.id), current: this.current === row.id, index,
      recent: this.recent.get(row.id) ?? [],
    };
    const key = `${state.expanded} ${state.selected} ${state.current} ${index} ${state.recent.join()}`;
    const known = this.#built.get(row.id);
    if (known && known.row === row && known.key === key) return known;
    return { key, row, node: rowNode(row, state, this.vocabulary, this.handlers) };
  }

  /** @param {string} control */
  #focus(control) {
    const found = this.table.querySelector(`[data-control="${CSS.escape(control)}"]`);
    if (found instanceof HTMLElement) found.focus({ preventScroll: true });
  }

  /** @param {DataColumn} column */
  #sort(column) {
    const { order } = this;
    const descending = order.column === column && !order.descending;
    this.query.set({ sort: `${column}${descending ? ".desc" : ""}` });
    this.render();
  }
}

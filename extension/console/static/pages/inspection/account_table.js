import { BulkBar } from "../../actions/bulk_bar.js";
import { byId } from "../../dom.js";
import { text } from "../../language/catalogue.js";
import { RecentResults } from "../../pool/recent_results.js";
import { printAllRows } from "../../table/printing.js";
import { Selection } from "../../table/selection.js";
import { SidePanel } from "../../table/panel/side_panel.js";
import { TableView } from "../../table/table_view.js";
import { columnChooser } from "./column_chooser.js";
import { keyHelp, listenToKeys } from "./keyboard.js";

/**
 * @import { Account, Result, Row } from "../../table/rows.js"
 * @import { RowHandlers } from "../../table/row_view.js"
 * @typedef {object} TableCommands
 * @property {(ids: number[], disabled: boolean) => void} switchSelected
 * @property {(ids: number[]) => void} deleteSelected
 * @property {(result: Result) => void} readEvidence
 * @property {() => void} undo reverts the last batch of this page
 */

/** Topic of the notice about a key without a row to act on. */
const NO_ROW = "keys";

/** Table of accounts with what belongs to it: selection, side panel, last results, keys and columns. */
export class AccountTable {
  /** @type {Map<number, Row>} */ #rows = new Map();

  /**
   * @param {import("../../shell/context.js").PageContext} context
   * @param {Omit<RowHandlers, "onSelect" | "onExpand">} handlers
   * @param {TableCommands} commands
   * @param {AbortSignal} signal
   */
  constructor({ client, query, vocabulary, notices }, handlers, commands, signal) {
    this.commands = commands;
    this.notices = notices;
    this.selection = new Selection(() => this.table.filtered.flatMap(({ id, account }) => (account ? [id] : [])));
    this.recent = new RecentResults(client);
    this.table = new TableView(vocabulary, this.selection, query, handlers, signal);
    this.panel = new SidePanel(vocabulary, this.table.handlers, () => this.#close());
    this.bulk = new BulkBar(this.selection, {
      onSwitch: (disabled) => commands.switchSelected(this.selection.ids(), disabled),
      onDelete: () => commands.deleteSelected(this.selection.ids()),
    });
    printAllRows(this.table.rows, byId("results"), () => this.table.filterBar.describe(), signal);
    const help = keyHelp();
    byId("results").after(help);
    byId("table-tools").append(columnChooser(byId("results"), this.table.order.column));
    listenToKeys(this.#keys(handlers), help, signal);
    this.#connect(signal);
  }

  /**
   * @param {Row[]} rows
   * @param {string} emptyText
   * @param {import("../../table/extent.js").Extent} extent
   */
  show(rows, emptyText, extent) {
    this.#rows = new Map(rows.map((row) => [row.id, row]));
    this.#renderPanel();
    return this.table.show(rows, emptyText, extent);
  }

  /**
   * @param {Account[]} selected
   * @param {string} source
   * @param {boolean} isOutdated whether the recommendations wait for the end of a run
   */
  renderBulk(selected, source, isOutdated) {
    this.bulk.render(this.table.filtered, selected, source, isOutdated);
  }

  /** @param {AbortSignal} signal */
  #connect(signal) {
    this.table.addEventListener("visible", (event) =>
      this.recent.want(/** @type {CustomEvent<number[]>} */ (event).detail.map((id) =>
        [id, this.#rows.get(id)?.result?.at ?? 0])));
    this.table.addEventListener("open", () => this.#inPlace(() => this.#renderPanel()));
    this.table.addEventListener("enter", () => this.panel.enter());
    this.recent.addEventListener("change", () => {
      this.table.recent = new Map([...this.#rows.keys()].flatMap((id) => {
        const results = this.recent.of(id);
        return results.length ? [[id, results.map(({ verdict }) => verdict).reverse()]] : [];
      }));
      this.table.paint();
      this.#renderPanel();
    });
    document.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && this.panel.isOpen && !document.querySelector("dialog[open]")) this.#close();
    }, { signal });
    signal.addEventListener("abort", () => {
      this.recent.stop();
      this.notices.clear(NO_ROW);
      document.body.classList.remove("with-side-panel");
    });
  }

  #renderPanel() {
    const { opened } = this.table;
    const row = (opened !== null && this.#rows.get(opened)) || null;
    if (row?.result && !row.result.attempts) this.commands.readEvidence(row.result);
    const hadFocus = this.panel.hasFocus;
    this.panel.render(row, this.recent.of(opened));
    if (hadFocus && !row) focusRow(opened);
  }

  /**
   * Keep the row of the keyboard where it is on the screen: beside the panel the lines above the table need more room.
   *
   * @param {() => void} render
   */
  #inPlace(render) {
    const row = document.querySelector(`#results [data-account="${this.table.current}"]`);
    const top = row?.getBoundingClientRect().top ?? 0;
    render();
    if (row) window.scrollBy({ top: row.getBoundingClientRect().top - top, behavior: "instant" });
  }

  #close() {
    const { opened } = this.table;
    this.table.open(null);
    focusRow(opened);
  }

  /**
   * Act on the row of the focus, or else on the one that the keyboard was on; say so where there is none.
   *
   * @param {(id: number) => void} act
   */
  #onRow(act) {
    const id = focusedRow() ?? this.table.current;
    if (id === null) {
      this.notices.show(NO_ROW, { level: "info", text: text("keys.no_row") });
      return;
    }
    this.notices.clear(NO_ROW);
    act(id);
  }

  /**
   * Commands of the keyboard: on the selection, or on one row.
   *
   * @param {Pick<RowHandlers, "onSwitch">} handlers
   */
  #keys({ onSwitch }) {
    /** @param {boolean} disabled */
    const change = (disabled) => {
      if (this.selection.size) this.commands.switchSelected(this.selection.ids(), disabled);
      else this.#onRow((id) => onSwitch(id, disabled));
    };
    return {
      move: (/** @type {number} */ step) => this.table.move(step),
      select: () => this.#onRow((id) => this.selection.pick(id, !this.selection.has(id))),
      range: () => this.#onRow((id) => this.selection.pick(id, true, true)),
      disable: () => change(true),
      enable: () => change(false),
      undo: () => this.commands.undo(),
      search: () => byId("search").focus(),
    };
  }
}

/** Account of the row that has the focus; null where none has it. */
function focusedRow() {
  const row = document.activeElement?.closest("#results tr[data-account]");
  return row instanceof HTMLElement ? Number(row.dataset.account) : null;
}

/**
 * Put the focus on the row of an account, or on the head of the table when the row is not on the screen.
 *
 * @param {number | null} id
 */
function focusRow(id) {
  const row = document.querySelector(`[data-control="expand-${id}"]`) ?? byId("results-heading");
  if (row instanceof HTMLElement) row.focus({ preventScroll: row.id === "results-heading" });
}

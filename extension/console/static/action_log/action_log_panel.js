import { OUTCOMES } from "../_generated_constants.js";
import { outcomeLabel, toneOfOutcome } from "../actions/plan_nodes.js";
import { reversalOf } from "../actions/reversal.js";
import { element } from "../dom.js";
import { formatActor, formatTime } from "../formatting.js";
import { Drawer } from "../follow_up/drawer.js";
import { listing, ownWords, paragraph, smallButton } from "../follow_up/listing.js";
import { text, tokenText } from "../language/catalogue.js";
import { reasonsText } from "../language/reasons.js";
import { isolated } from "../layout/account_name.js";
import { causeText, nameNode, nameOf } from "./action_cells.js";
import { deletedFileList, restorable, reversalOfBatch, wasRestored } from "./deleted_files.js";

/** @import { Action, ActionView, DeletedFileView } from "../../_generated_types.js" */

const ACTIONS_READ = 100;
const COLUMNS = /** @type {const} */ (["time", "account", "action", "result", "actor", "note", ""]);
const FILTERS = ["batch", "account", "actor", "action", "cause", "result", "since"];
const ACTIONS = /** @type {const} */ (["disable", "enable", "delete", "restore"]);
/** @type {readonly import("../../_generated_types.js").Cause[]} */
const CAUSES = ["request", "run", "apply", "release", "undo"];
/** Filters that take the number of a thing. */
const NUMBERS = new Set(["batch", "account"]);
/** @type {Set<Action>} */
const UNDOABLE = new Set(["disable", "enable"]);

/** Panel of the newest actions with actor, cause, result and undo. */
export class ActionLogPanel {
  /** @type {number[]} first numbers of the pages before the one shown */ #before = [];

  /**
   * @param {HTMLElement} panel
   * @param {import("../connection/client.js").Client} client
   * @param {import("../actions/action_dialog.js").ActionDialog} dialog
   * @param {import("../notices.js").Notices} notices
   * @param {import("../shell/query_state.js").QueryState} query holds the filters
   */
  constructor(panel, client, dialog, notices, query) {
    this.notices = notices;
    this.client = client;
    this.dialog = dialog;
    this.query = query;
    this.drawer = new Drawer(panel, () => this.#read());
    query.addEventListener("change", () => {
      this.#before = [];
      this.refresh();
    });
  }

  /** Values of the filters, by name. */
  get #filter() {
    return Object.fromEntries(FILTERS.map((name) => [name, this.query.get(name)]));
  }

  refresh() {
    return this.drawer.refresh();
  }

  async #read() {
    const query = Object.fromEntries(Object.entries(this.#filter).filter(([, value]) => value));
    const before = this.#before.at(-1);
    const [{ actions, total, reverted }, { files }] = await Promise.all([
      this.client.get("pool/actions", { limit: ACTIONS_READ, ...query, ...(before ? { before } : {}) }),
      this.client.get("pool/restore")]);
    const kept = restorable(actions, files);
    const head = [...this.#deletedFiles(files), this.#filterBar(actions, kept)];
    const isFiltered = Object.keys(query).length > 0;
    if (!actions.length) return [...head, paragraph(text(isFiltered ? "log.none_found" : "log.none"))];
    const undone = new Set(reverted);
    const table = listing(COLUMNS.map((name) => name && text(`log.${name}`)), actions.map((action) => [
      element("span", { class: "time", text: formatTime(action.at) }), nameNode(action),
      element("span", { class: "token", text: tokenText("action", action.action) }),
      element("div", {}, element("span", {
        class: "pill", text: outcomeLabel(action.outcome), data: { tone: toneOfOutcome(action.outcome) },
      }), ` ${reasonsText(action.texts, action.text)}`),
      `${formatActor(action.actor)}, ${causeText(action)}`, reasonsText(action.reasons, action.reason) || "–",
      action.action === "delete" ? this.#restoreCell(action, kept, actions) : this.#undoCell(action, undone),
    ]));
    return [...head, ...this.#pages(actions, total), table];
  }

  /** @param {DeletedFileView[]} files */
  #deletedFiles(files) {
    return deletedFileList(files, (chosen) =>
      this.dialog.openReversal({
        batch: null, switched: [],
        deleted: chosen.map(({ account, name }) => ({ account, name: () => [isolated(name)] })),
      }));
  }

  /**
   * Fields that filter the history; Enter applies them. A batch that is shown alone can be taken back from here.
   *
   * @param {ActionView[]} actions
   * @param {Set<number>} kept deletions whose file can be restored
   */
  #filterBar(actions, kept) {
    const names = { batch: text("log.batch"), account: text("log.account_number"), actor: text("log.actor") };
    const fields = Object.entries(names).map(([name, label]) => {
      const field = element("input", {
        attributes: {
          id: `action-log-${name}`, type: "text", ...(NUMBERS.has(name) ? { inputmode: "numeric", maxlength: 15 }
            : { maxlength: 200 }),
        },
        on: { change: () => this.#choose(name, field.value.trim()) },
      });
      field.value = this.#filter[name];
      return labeled(label, field);
    });
    const action = this.#choice("action", text("log.any_action"),
      ACTIONS.map((token) => [token, tokenText("action", token)]));
    const cause = this.#choice("cause", text("log.any_cause"),
      CAUSES.map((token) => [token, tokenText("cause", token)]));
    const outcomes = /** @type {import("../../_generated_types.js").ActionOutcome[]} */ (Object.keys(OUTCOMES));
    const result = this.#choice("result", text("log.any_result"),
      outcomes.map((token) => [token, outcomeLabel(token)]));
    const batch = Number(this.#filter.batch);
    const isDeletion = kept.size > 0 && !actions.some((each) => UNDOABLE.has(each.action));
    const undo = batch && actions.length ? [smallButton(text(isDeletion ? "log.restore_batch" : "log.undo_batch",
      { batch: String(batch) }), () => this.#undoBatch(batch))] : [];
    return element("div", { class: "filters" }, ...fields, labeled(text("log.action"), action),
      labeled(text("log.cause"), cause), labeled(text("log.result"), result), ...this.#sinceButton(), ...undo);
  }

  /** A button that takes a limit of time away, which only links set. */
  #sinceButton() {
    const since = Number(this.#filter.since);
    return since ? [smallButton(text("log.since", { time: formatTime(since) }), () => this.#choose("since", ""),
      text("log.any_time"))] : [];
  }

  /**
   * @param {string} name of the filter
   * @param {string} any what stands for no filter
   * @param {string[][]} choices tokens with their words
   */
  #choice(name, any, choices) {
    const select = element("select", {
      attributes: { id: `action-log-${name}` },
      on: { change: () => this.#choose(name, select.value) },
    }, ...[["", any], ...choices].map(([token, words]) =>
      element("option", { text: words, attributes: { value: token } })));
    select.value = this.#filter[name];
    return select;
  }

  /**
   * @param {string} name
   * @param {string} value
   */
  #choose(name, value) {
    const written = NUMBERS.has(name) ? value.replace(/\D/g, "").replace(/^0+/, "") : value;
    this.query.set({ [name]: written }, { push: true });
    this.#before = [];
    return this.drawer.refresh();
  }

  /**
   * Buttons that turn the pages, with the number of matching actions.
   *
   * @param {ActionView[]} actions
   * @param {number} total
   */
  #pages(actions, total) {
    if (total <= ACTIONS_READ) return [];
    const newer = smallButton(text("log.newer"), () => { this.#before.pop(); this.drawer.refresh(); });
    newer.disabled = this.#before.length === 0;
    const last = actions[actions.length - 1].id;
    const older = smallButton(text("log.older"), () => { this.#before.push(last); this.drawer.refresh(); });
    const first = this.#before.length * ACTIONS_READ + 1;
    older.disabled = first + actions.length > total;
    const range = text("log.range", { first, last: first + actions.length - 1, n: total });
    return [element("p", { class: "buttons" }, range, newer, older)];
  }

  /** @param {number} batch */
  #undoBatch(batch) {
    return this.notices.attempt("action-log", async () => {
      const reversal = await reversalOfBatch(this.client, batch);
      if (reversal) this.dialog.openReversal(reversal);
      else this.notices.show("action-log", { text: text("log.nothing_to_undo", { batch: String(batch) }) });
    });
  }

  /**
   * @param {ActionView} action
   * @param {Set<number | null>} undone
   */
  #undoCell(action, undone) {
    if (undone.has(action.id)) return ownWords(text("log.reverted"));
    if (action.outcome !== "applied" || !UNDOABLE.has(action.action)) return "";
    const label = text("log.undo_of", { action: tokenText("action", action.action), name: nameOf(action) });
    return this.#withBatch(action, smallButton(text("log.undo"), () => this.#takeBack(action), label));
  }

  /**
   * @param {ActionView} action a deletion
   * @param {Set<number>} kept
   * @param {ActionView[]} actions
   */
  #restoreCell(action, kept, actions) {
    if (!kept.has(action.id)) return wasRestored(action, actions) ? ownWords(text("log.restored")) : "";
    const label = text("log.restore_of", { name: nameOf(action) });
    return this.#withBatch(action, smallButton(text("log.restore"), () => this.#takeBack(action), label));
  }

  /**
   * Put a button that shows the batch of an action beside another.
   *
   * @param {ActionView} action
   * @param {HTMLElement} button
   */
  #withBatch(action, button) {
    const { batch } = action;
    if (!batch || this.#filter.batch) return button;
    const label = text("log.show_batch_of", { batch: String(batch), name: nameOf(action) });
    const show = smallButton(text("log.show_batch", { batch: String(batch) }),
      () => this.#choose("batch", String(batch)), label);
    return element("div", { class: "buttons" }, button, show);
  }

  /** @param {ActionView} action */
  #takeBack(action) {
    const reversal = reversalOf([action]);
    if (reversal) this.dialog.openReversal(reversal);
  }
}

/**
 * Put the name of a filter above it.
 *
 * @param {string} label
 * @param {HTMLInputElement | HTMLSelectElement} control
 */
function labeled(label, control) {
  return element("div", { class: "field" },
    element("label", { text: label, attributes: { for: control.id } }), control);
}

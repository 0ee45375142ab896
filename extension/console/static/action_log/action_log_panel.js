import { OUTCOMES } from "../_generated_constants.js";
import { outcomeLabel, toneOfOutcome } from "../actions/plan_nodes.js";
import { element } from "../dom.js";
import { accountName, formatActor, formatTime } from "../formatting.js";
import { Drawer } from "../follow_up/drawer.js";
import { listing, paragraph, smallButton } from "../follow_up/listing.js";

/** @import { Action, ActionView, Cause } from "../../_generated_types.js" */

const ACTIONS_READ = 100;
const FILTERS = ["batch", "account", "actor", "result"];
/** @type {Set<Action>} */
const UNDOABLE = new Set(["disable", "enable"]);
/** @type {Record<Cause, string>} */
const CAUSES = {
  request: "manual", run: "automatic", apply: "plan applied", release: "released from hold", undo: "undo",
};

/** Panel of the newest actions with actor, cause, result and undo. */
export class ActionLogPanel {
  /** @type {number[]} first numbers of the pages before the one shown */ #before = [];

  /**
   * @param {HTMLElement} panel
   * @param {import("../connection/client.js").Client} client
   * @param {import("../actions/action_dialog.js").ActionDialog} dialog
   * @param {import("../shell/query_state.js").QueryState} query holds the filters
   */
  constructor(panel, client, dialog, query) {
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
    const query = Object.fromEntries(Object.entries(this.#filter).filter(([, text]) => text));
    const before = this.#before.at(-1);
    const { actions, total, reverted } = await this.client.get("pool/actions", {
      limit: ACTIONS_READ, ...query, ...(before ? { before } : {}) });
    const filters = this.#filterBar();
    const isFiltered = Object.keys(query).length > 0;
    if (!actions.length) return [filters, paragraph(isFiltered ? "No action found." : "No actions yet.")];
    const undone = new Set(reverted);
    const table = listing(["Time", "Account", "Action", "Result", "Actor", "Note", ""], actions.map((action) => [
      formatTime(action.at), nameOf(action), action.action,
      element("div", {}, element("span", {
        class: "pill", text: outcomeLabel(action.outcome), data: { tone: toneOfOutcome(action.outcome) },
      }), ` ${action.text}`),
      `${formatActor(action.actor)}, ${causeText(action)}`, action.reason || "–", this.#undoCell(action, undone),
    ]));
    return [filters, ...this.#pages(actions, total), table];
  }

  /** Fields that filter the history; Enter applies them. */
  #filterBar() {
    const names = { batch: "Batch", account: "Account number", actor: "Actor" };
    const fields = Object.entries(names).map(([name, label]) => {
      const field = element("input", {
        attributes: { id: `action-log-${name}`, type: "text", placeholder: label, "aria-label": `${label} of actions` },
        on: { change: () => this.#choose(name, field.value.trim()) },
      });
      field.value = this.#filter[name];
      return field;
    });
    const result = element("select", {
      attributes: { id: "action-log-result", "aria-label": "Result of actions" },
      on: { change: () => this.#choose("result", result.value) },
    }, element("option", { text: "Any result", attributes: { value: "" } }),
    ...Object.keys(OUTCOMES).map((token) => element("option", {
      text: outcomeLabel(/** @type {import("../../_generated_types.js").ActionOutcome} */ (token)),
      attributes: { value: token } })));
    result.value = this.#filter.result;
    const batch = Number(this.#filter.batch);
    const undo = batch ? [smallButton(`Undo batch ${batch}…`, () => this.#undoBatch(batch))] : [];
    return element("p", { class: "buttons" }, ...fields, result, ...undo);
  }

  /**
   * @param {string} name
   * @param {string} value
   */
  #choose(name, value) {
    const written = name === "batch" || name === "account" ? value.replace(/\D/g, "") : value;
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
    const newer = smallButton("Newer", () => { this.#before.pop(); this.drawer.refresh(); });
    newer.disabled = this.#before.length === 0;
    const last = actions[actions.length - 1].id;
    const older = smallButton("Older", () => { this.#before.push(last); this.drawer.refresh(); });
    const first = this.#before.length * ACTIONS_READ + 1;
    older.disabled = first + actions.length > total;
    const text = `${first} to ${first + actions.length - 1} of ${total} actions`;
    return [element("p", { class: "buttons" }, text, newer, older)];
  }

  /** @param {number} batch */
  #undoBatch(batch) {
    this.#confirm(`Undo batch ${batch}?`,
      "Each account returns to its state before the batch. Accounts that changed since are skipped.",
      () => this.client.post("pool/undo", { batch, background: true }));
  }

  /**
   * @param {ActionView} action
   * @param {Set<number | null>} undone
   */
  #undoCell(action, undone) {
    if (undone.has(action.id)) return "reverted";
    if (action.outcome !== "applied" || !UNDOABLE.has(action.action)) return "";
    const name = nameOf(action);
    const undo = smallButton("Undo…", () => this.#undo(action, name), `Undo ${action.action} ${name}`);
    const { batch } = action;
    if (!batch || this.#filter.batch) return undo;
    const label = `Show batch ${batch} of ${name}`;
    const show = smallButton(`Batch ${batch}`, () => this.#choose("batch", String(batch)), label);
    return element("div", {}, undo, show);
  }

  /**
   * @param {ActionView} action
   * @param {string} name
   */
  #undo(action, name) {
    this.#confirm(`Undo: ${action.action} ${name}?`,
      "The account returns to its previous state, unless it changed since.",
      () => this.client.post("pool/undo", { actions: [action.id] }));
  }

  /**
   * @param {string} title
   * @param {string} text
   * @param {() => Promise<import("../../_generated_types.js").CommandAnswer>} send
   */
  #confirm(title, text, send) {
    this.dialog.open({
      title,
      verb: "Undo",
      body: [paragraph(text)],
      perform: async () => {
        try {
          return await send();
        } finally {
          await this.refresh();
        }
      },
    });
  }
}

/** @param {ActionView} action */
function nameOf(action) {
  return accountName({ ...action, id: action.account });
}

/** @param {ActionView} action */
function causeText({ cause, run, undoes }) {
  const text = CAUSES[cause] ?? cause;
  if (undoes) return `${text} of #${undoes}`;
  return run && cause !== "request" ? `${text} (run ${run})` : text;
}

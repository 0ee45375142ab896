import { outcomeLabel, toneOfOutcome } from "../actions/plan_nodes.js";
import { byId, element } from "../dom.js";
import { accountName, formatActor, formatTime } from "../formatting.js";
import { Drawer } from "../follow_up/drawer.js";
import { listing, paragraph, smallButton } from "../follow_up/listing.js";

/** @import { Action, ActionView, Cause } from "../../_generated_types.js" */

const ACTIONS_READ = 200;
/** @type {Set<Action>} */
const UNDOABLE = new Set(["disable", "enable"]);
/** @type {Record<Cause, string>} */
const CAUSES = {
  request: "manual", run: "automatic", apply: "plan applied", release: "released from hold", undo: "undo",
};

/** Panel of the newest actions with actor, cause, result and undo. */
export class ActionLogPanel {
  /**
   * @param {import("../connection/client.js").Client} client
   * @param {import("../actions/action_dialog.js").ActionDialog} dialog
   * @param {() => Promise<void>} onDone called after an undo was asked for, whatever came of it
   */
  constructor(client, dialog, onDone) {
    this.client = client;
    this.dialog = dialog;
    this.onDone = onDone;
    this.drawer = new Drawer(byId("action-log"), () => this.#read());
  }

  refresh() {
    return this.drawer.refresh();
  }

  async #read() {
    const { actions } = await this.client.get("pool/actions", { limit: ACTIONS_READ });
    if (!actions.length) return [paragraph("No actions yet.")];
    const undone = new Set(actions.filter(({ outcome }) => outcome === "applied").map(({ undoes }) => undoes));
    const isCut = actions.length === ACTIONS_READ;
    const table = listing(["Time", "Account", "Action", "Result", "Actor", "Note", ""], actions.map((action) => [
      formatTime(action.at), nameOf(action), action.action,
      element("div", {}, element("span", {
        class: "pill", text: outcomeLabel(action.outcome), data: { tone: toneOfOutcome(action.outcome) },
      }), ` ${action.text}`),
      `${formatActor(action.actor)}, ${causeText(action)}`, action.reason || "–", this.#undoCell(action, undone),
    ]));
    return isCut ? [paragraph(`Showing the newest ${ACTIONS_READ} actions.`), table] : [table];
  }

  /**
   * @param {ActionView} action
   * @param {Set<number | null>} undone
   */
  #undoCell(action, undone) {
    if (undone.has(action.id)) return "reverted";
    if (action.outcome !== "applied" || !UNDOABLE.has(action.action)) return "";
    const name = nameOf(action);
    return smallButton("Undo…", () => this.#undo(action, name), `Undo ${action.action} ${name}`);
  }

  /**
   * @param {ActionView} action
   * @param {string} name
   */
  #undo(action, name) {
    this.dialog.open({
      title: `Undo: ${action.action} ${name}?`,
      verb: "Undo",
      body: [paragraph("The account returns to its previous state, unless it changed since.")],
      perform: async () => {
        try {
          return await this.client.post("pool/undo", { actions: [action.id] });
        } finally {
          await this.onDone();
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

import { explained } from "../connection/problem.js";
import { byId, element, within } from "../dom.js";
import { dialogNode } from "./dialog_node.js";
import { batchNodes, summaryOf, wentAsAsked } from "./batch_outcome.js";
import { followed, progressText } from "./batch_progress.js";
import { text } from "../language/catalogue.js";
import { OUTCOME_ID, outcomeNodes } from "./plan_nodes.js";

/** @import { BatchView, CommandAnswer } from "../../_generated_types.js" */

/** Topic of the notice that offers to undo the last change. */
const UNDO = "undo";

/**
 * Confirmation dialog of a change: planned writes first, results after confirmation.
 */
export class ActionDialog {
  #busy = false;
  #left = false;
  /** @type {number | null} */ #last = null;
  /** Whether the dialog shows a change that can be undone. */ #isUndoable = false;
  /** Summary of the change that the dialog shows. */ #said = "";
  /** @type {HTMLElement | null} */ #opener = null;
  /** @type {HTMLElement | null} */ #panel = null;

  /**
   * @param {import("../connection/client.js").Client} client
   * @param {() => Promise<void>} onDone called after a change was asked for, whatever came of it
   * @param {import("../notices.js").Notices} notices offer to undo a change once its dialog is closed
   */
  constructor(client, onDone, notices) {
    this.client = client;
    this.notices = notices;
    this.onDone = onDone;
    this.dialog = dialogNode();
    document.body.append(this.dialog);
    this.heading = within(this.dialog, "#action-heading", HTMLElement);
    this.body = within(this.dialog, "#action-body", HTMLElement);
    this.buttons = within(this.dialog, "#action-buttons", HTMLElement);
    this.dialog.addEventListener("cancel", (event) => { if (this.#busy) event.preventDefault(); });
    this.dialog.addEventListener("close", () => {
      this.#handBackFocus();
      if (this.#left) this.dialog.remove();
      else if (this.#isUndoable) this.#offerUndo();
      this.#isUndoable = false;
    });
  }

  /**
   * @param {object} change
   * @param {string} change.title
   * @param {string} change.verb on the button that confirms
   * @param {boolean} [change.danger]
   * @param {HTMLElement[]} change.body planned writes
   * @param {boolean} [change.possible] false: there is nothing to confirm
   * @param {boolean} [change.asksWhy]
   * @param {(reason: string) => Promise<CommandAnswer>} change.perform
   */
  open({ title, verb, danger = false, body, possible = true, asksWhy = false, perform }) {
    this.heading.textContent = title;
    const reason = element("input", { attributes: { id: "action-why", type: "text", maxlength: 200 } });
    const asked = element("div", { class: "field" },
      element("label", { text: text("dialog.note"), attributes: { for: "action-why" } }), reason);
    this.body.replaceChildren(...body, ...(asksWhy ? [asked] : []));
    const cancel = this.#button(text(possible ? "dialog.cancel" : "dialog.close"), "plain", () => this.dialog.close());
    const confirm = this.#button(verb, danger ? "danger" : "primary", () =>
      this.#perform(() => perform(reason.value.trim())));
    this.buttons.replaceChildren(cancel, ...(possible ? [confirm] : []));
    this.#opener = document.activeElement instanceof HTMLElement ? document.activeElement : null;
    this.#panel = this.#opener?.closest(".panel") ?? null;
    this.dialog.showModal();
    cancel.focus();
  }

  /** Close the dialog for good; one with a change in progress still shows its outcome. */
  leave() {
    this.#left = true;
    this.notices.clear(UNDO);
    if (this.#busy) return;
    this.dialog.close();
    this.dialog.remove();
  }

  /** @param {() => Promise<CommandAnswer>} perform */
  async #perform(perform) {
    if (this.#busy) return;
    this.#busy = true;
    this.body.replaceChildren(element("p", { text: text("dialog.working"), attributes: { role: "status" } }));
    this.buttons.replaceChildren();
    /** @type {BatchView | null} */
    let batch = null;
    try {
      const done = await this.#carriedOut(perform);
      batch = done.batch;
      if (batch?.outcomes.applied && batch.cause !== "undo") {
        this.#last = batch.id;
        this.#isUndoable = true;
      }
      this.#said = summaryOf(done);
      if (wentAsAsked(done)) {
        this.#busy = false;
        this.#settle(done);
        return;
      }
      this.heading.textContent = text("dialog.result");
      this.body.replaceChildren(...outcomeNodes(done.actions), ...batchNodes(batch));
    } catch (problem) {
      const { message, hint } = explained(problem);
      this.heading.textContent = text("dialog.failed");
      this.body.replaceChildren(element("div", { class: "problem", attributes: { role: "alert" } },
        element("p", { text: message }), element("p", { class: "hint", text: hint })));
    } finally {
      this.#busy = false;
    }
    const close = this.#button(text("dialog.close"), "primary", () => this.dialog.close());
    close.setAttribute("aria-describedby", OUTCOME_ID);
    const undo = batch?.outcomes.applied && batch.cause !== "undo" ? [this.#undoButton(batch.id)] : [];
    this.buttons.replaceChildren(...undo, close);
    close.focus({ preventScroll: true });
    this.dialog.scrollTop = 0;
  }

  /**
   * Send a change, and follow it to its end.
   *
   * @param {() => Promise<CommandAnswer>} perform
   */
  async #carriedOut(perform) {
    try {
      return await followed(this.client, await perform(), (current) => this.#showProgress(current));
    } finally {
      await this.onDone();
    }
  }

  /** @param {BatchView} batch */
  #showProgress(batch) {
    const said = element("p", { text: progressText(batch, Date.now()), attributes: { role: "status" } });
    const bar = element("progress", { attributes: { max: Math.max(1, batch.total), value: batch.done } });
    const note = text("dialog.goes_on");
    this.body.replaceChildren(said, bar, element("p", { class: "hint", text: note }));
    if (this.buttons.childElementCount) return;
    const cancel = this.#button(text("dialog.cancel_rest"), "plain", () => {
      cancel.disabled = true;
      this.client.post("pool/batches/cancel", undefined, { batch: batch.id }).catch(() => { cancel.disabled = false; });
    });
    this.buttons.replaceChildren(cancel);
  }

  /** Revert the last batch that this dialog carried out, if there is one. */
  undoLast() {
    const batch = this.#last;
    if (batch === null) return;
    this.open({
      title: text("log.undo_batch_question", { batch: String(batch) }), verb: text("dialog.undo"), body: [],
      perform: () => this.#undo(batch),
    });
  }

  /** @param {number} batch */
  #undo(batch) {
    this.#last = null;
    this.#isUndoable = false;
    this.notices.clear(UNDO);
    return this.client.post("pool/undo", { batch, background: true });
  }

  /**
   * Close the dialog of a change that left nothing to read; a short notice tells of it.
   *
   * @param {CommandAnswer} done
   */
  #settle(done) {
    const isUndo = done.batch?.cause === "undo";
    this.dialog.close();
    if (isUndo && !this.#left) this.notices.show(UNDO, { text: this.#said, isToast: true });
  }

  #offerUndo() {
    this.notices.show(UNDO, {
      text: this.#said, isToast: true, action: { label: text("undo.undo"), act: () => this.undoLast() },
    });
  }

  /** @param {number} batch */
  #undoButton(batch) {
    return this.#button(text("dialog.undo"), "plain", () => this.#perform(() => this.#undo(batch)));
  }

  /**
   * Return the focus. The control that opened the dialog may have been rebuilt or removed meanwhile: the focus then
   * goes to the head of its panel, or to the sign-in form when the session has ended.
   */
  #handBackFocus() {
    const control = this.#opener?.dataset.control;
    const successor = control && document.querySelector(`[data-control="${CSS.escape(control)}"]`);
    const head = this.#panel?.querySelector("summary, [tabindex='-1']")
      ?? document.getElementById(this.#panel?.getAttribute("aria-labelledby") ?? "");
    const places = [this.#opener, successor, head, byId("page"), byId("management-key")];
    places.filter((place) => place instanceof HTMLElement).find(canHaveFocus)?.focus();
  }

  /**
   * @param {string} label
   * @param {string} kind
   * @param {() => void} act
   */
  #button(label, kind, act) {
    return element("button", { class: kind, text: label, attributes: { type: "button" }, on: { click: act } });
  }
}

/** @param {HTMLElement} place */
function canHaveFocus(place) {
  return place.checkVisibility() && !place.matches(":disabled");
}

import { explained, isSignedOut } from "../connection/problem.js";
import { element, within } from "../dom.js";
import { dialogButton, dialogNode, problemNode } from "./dialog_node.js";
import { FocusReturn } from "./focus_return.js";
import { batchNodes, summaryOf, wentAsAsked } from "./batch_outcome.js";
import { followed, progressText } from "./batch_progress.js";
import { text } from "../language/catalogue.js";
import { OUTCOME_ID, outcomeNodes } from "./plan_nodes.js";
import {
  carryOut, reversalNodes, reversalOfCommand, reversalOffer, reversalQuestion, reversalVerb,
} from "./reversal.js";

/**
 * @import { BatchView, CommandAnswer } from "../../_generated_types.js"
 * @import { Reversal } from "./reversal.js"
 */

/** Topic of the notice that offers to undo the last change. */
const UNDO = "undo";

/**
 * Confirmation dialog of a change: planned writes first, results after confirmation.
 */
export class ActionDialog {
  #busy = false;
  /** Whether the change under way has reached the service. */ #isSent = false;
  #left = false;
  /** @type {Reversal | null} what takes back the last change */ #last = null;
  /** Whether the dialog shows a change that can be taken back. */ #isUndoable = false;
  /** Summary of the change that the dialog shows. */ #said = "";
  #focus = new FocusReturn();

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
      this.#focus.handBack();
      if (this.#left) this.dialog.remove();
      else if (this.#isUndoable) this.#offerUndo();
      this.#isUndoable = false;
    });
  }

  /**
   * @param {object} change
   * @param {string | (Node | string)[]} change.title
   * @param {string} change.verb on the button that confirms
   * @param {boolean} [change.danger]
   * @param {HTMLElement[]} change.body planned writes
   * @param {boolean} [change.possible] false: there is nothing to confirm
   * @param {boolean} [change.asksWhy]
   * @param {(reason: string) => Promise<CommandAnswer>} change.perform
   */
  open({ title, verb, danger = false, body, possible = true, asksWhy = false, perform }) {
    this.heading.replaceChildren(...[title].flat());
    const reason = element("input", { attributes: { id: "action-why", type: "text", maxlength: 200 } });
    const asked = element("div", { class: "field" },
      element("label", { text: text("dialog.note"), attributes: { for: "action-why" } }), reason);
    this.body.replaceChildren(...body, ...(asksWhy ? [asked] : []));
    const cancel = dialogButton(text(possible ? "dialog.cancel" : "dialog.close"), "plain", () => this.dialog.close());
    const confirm = dialogButton(verb, danger ? "danger" : "primary", () =>
      this.#perform(() => perform(reason.value.trim())));
    this.buttons.replaceChildren(cancel, ...(possible ? [confirm] : []));
    this.#show(cancel);
  }

  /**
   * Open at once, before what is asked is known; `open` puts the question in its place.
   *
   * @returns {() => boolean} whether the dialog still waits
   */
  wait() {
    const said = element("p", { text: text("dialog.reading_plan"), attributes: { role: "status" } });
    this.heading.textContent = text("dialog.planning");
    this.body.replaceChildren(said);
    const cancel = dialogButton(text("dialog.cancel"), "plain", () => this.dialog.close());
    this.buttons.replaceChildren(cancel);
    this.#show(cancel);
    return () => this.dialog.open && said.isConnected;
  }

  /** @param {unknown} problem why there is no question to be asked */
  fail(problem) {
    if (isSignedOut(problem)) {
      this.dialog.close();
      return;
    }
    const { message, hint } = explained(problem);
    this.heading.textContent = text("dialog.failed");
    this.body.replaceChildren(problemNode(message, hint));
    const close = dialogButton(text("dialog.close"), "plain", () => this.dialog.close());
    this.buttons.replaceChildren(close);
    this.#show(close);
  }

  /** @param {HTMLElement} focused the button that gets the focus */
  #show(focused) {
    if (!this.dialog.open) {
      this.#focus.remember();
      this.dialog.showModal();
    }
    focused.focus({ preventScroll: true });
    this.dialog.scrollTop = 0;
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
    this.#isSent = false;
    const asked = [this.heading, this.body, this.buttons].map((part) => [...part.childNodes]);
    this.heading.textContent = text("dialog.working");
    this.body.replaceChildren(element("p", { text: text("dialog.sent"), attributes: { role: "status" } }));
    this.buttons.replaceChildren();
    /** @type {Reversal | null} */
    let reversal = null;
    try {
      const done = await this.#carriedOut(perform);
      reversal = reversalOfCommand(done);
      if (reversal) {
        this.#last = reversal;
        this.#isUndoable = true;
      }
      this.#said = summaryOf(done);
      if (wentAsAsked(done)) {
        this.#busy = false;
        this.#settle(done);
        return;
      }
      this.heading.textContent = text("dialog.result");
      // How the batch ended, before a list of each account that may be longer than the screen.
      const [counts, ...each] = outcomeNodes(done.actions);
      this.body.replaceChildren(counts, ...batchNodes(done.batch), ...each);
    } catch (problem) {
      if (isSignedOut(problem) && !this.#isSent) {
        // Nothing was done: the question, with its note, is there to be answered after the sign-in.
        [this.heading, this.body, this.buttons].forEach((part, at) => part.replaceChildren(...asked[at]));
        return;
      }
      const { message, hint } = isSignedOut(problem)
        ? { message: text("dialog.session_ended"), hint: text("dialog.goes_on") } : explained(problem);
      this.heading.textContent = text("dialog.failed");
      this.body.replaceChildren(problemNode(message, hint));
    } finally {
      this.#busy = false;
    }
    const close = dialogButton(text("dialog.close"), "primary", () => this.dialog.close());
    close.setAttribute("aria-describedby", OUTCOME_ID);
    const undo = reversal && dialogButton(reversalVerb(reversal), "plain", () =>
      this.#perform(() => this.#undo(reversal)));
    this.buttons.replaceChildren(...(undo ? [undo] : []), close);
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
      const begun = await perform();
      this.#isSent = true;
      return await followed(this.client, begun, (current) => this.#showProgress(current));
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
    const cancel = dialogButton(text("dialog.cancel_rest"), "plain", () => {
      cancel.disabled = true;
      this.client.post("pool/batches/cancel", undefined, { batch: batch.id }).catch(() => { cancel.disabled = false; });
    });
    this.buttons.replaceChildren(cancel);
  }

  /** Take back the last change that this dialog carried out, if there is one. */
  undoLast() {
    if (this.#last) this.openReversal(this.#last);
  }

  /**
   * Ask whether to take changes back.
   *
   * @param {Reversal} reversal
   */
  openReversal(reversal) {
    this.open({
      title: reversalQuestion(reversal), verb: reversalVerb(reversal), body: reversalNodes(reversal),
      perform: () => this.#undo(reversal),
    });
  }

  /** @param {Reversal} reversal */
  #undo(reversal) {
    this.#last = null;
    this.#isUndoable = false;
    this.notices.clear(UNDO);
    return carryOut(this.client, reversal, (current) => this.#showProgress(current));
  }

  /**
   * Close the dialog of a change that left nothing to read; a short notice tells of it.
   *
   * @param {CommandAnswer} done
   */
  #settle(done) {
    const isReversal = !reversalOfCommand(done);
    this.dialog.close();
    if (isReversal && !this.#left) this.notices.show(UNDO, { text: this.#said, isToast: true });
  }

  #offerUndo() {
    const reversal = this.#last;
    if (!reversal) return;
    this.notices.show(UNDO, {
      text: this.#said, isToast: true,
      action: { label: reversalOffer(reversal), act: () => this.openReversal(reversal) },
    });
  }
}

import { ApiProblem, explained, isSignedOut } from "../connection/problem.js";
import { element, within } from "../dom.js";
import { dialogButton, dialogNode, problemNode } from "./dialog_node.js";
import { FocusReturn } from "./focus_return.js";
import { batchNodes, summaryOf, wentAsAsked } from "./batch_outcome.js";
import { cancelButton, showProgress } from "./batch_progress.js";
import { Command, LOSS, newestBatch, NO_RECORD } from "./command.js";
import { text } from "../language/catalogue.js";
import { OUTCOME_ID, outcomeNodes } from "./plan_nodes.js";
import { ChangeToast } from "./change_toast.js";
import { carryOut, reversalNodes, reversalOfCommand, reversalQuestion, reversalVerb } from "./reversal.js";

/**
 * @import { BatchView, CommandAnswer } from "../../_generated_types.js"
 * @import { Reversal } from "./reversal.js"
 */

/**
 * Confirmation dialog of a change: planned writes first, results after confirmation.
 */
export class ActionDialog {
  /** Whether the dialog shows a change that was sent and has not ended. */ #isUnderWay = false;
  #left = false;
  /** Whether what was confirmed waits for the gateway. */ #isHeldUp = false;
  /** Whether the dialog shows a change that can be taken back, or asks whether to: closed, it is told of again. */
  #isUndoable = false;
  #focus = new FocusReturn();

  /**
   * @param {import("../connection/client.js").Client} client
   * @param {() => Promise<void>} onDone called after a change was asked for, whatever came of it
   * @param {import("../notices.js").Notices} notices offer to undo a change once its dialog is closed
   */
  constructor(client, onDone, notices) {
    this.page = client;
    this.client = client.lasting;
    this.toast = new ChangeToast(notices, (reversal) => {
      this.openReversal(reversal);
      this.#isUndoable = true;
    });
    this.onDone = onDone;
    this.dialog = dialogNode();
    document.body.append(this.dialog);
    this.heading = within(this.dialog, "#action-heading", HTMLElement);
    this.body = within(this.dialog, "#action-body", HTMLElement);
    this.buttons = within(this.dialog, "#action-buttons", HTMLElement);
    this.dialog.addEventListener("close", () => {
      this.#focus.handBack();
      if (this.#left) this.dialog.remove();
      else if (this.#isHeldUp) this.toast.tellNotSent();
      else if (this.#isUndoable) this.toast.tell(this.toast.last);
      this.#isUndoable = this.#isUnderWay = this.#isHeldUp = false;
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
   * @param {(reason: string, command: Command) => Promise<CommandAnswer>} change.perform to its end
   */
  open({ title, verb, danger = false, body, possible = true, asksWhy = false, perform }) {
    this.heading.replaceChildren(...[title].flat());
    const reason = element("input", { attributes: { id: "action-why", type: "text", maxlength: 200 } });
    const asked = element("div", { class: "field" },
      element("label", { text: text("dialog.note"), attributes: { for: "action-why" } }), reason);
    this.body.replaceChildren(...body, ...(asksWhy ? [asked] : []));
    const cancel = dialogButton(text(possible ? "dialog.cancel" : "dialog.close"), "plain", () => this.dialog.close());
    const confirm = dialogButton(verb, danger ? "danger" : "primary", () =>
      this.#perform((command) => perform(reason.value.trim(), command)));
    this.buttons.replaceChildren(cancel, ...(possible ? [confirm] : []));
    this.#show(cancel);
  }

  /**
   * Open at once, before what is asked is known; `open` puts the question in its place.
   *
   * @returns {() => boolean} whether the dialog still waits
   */
  wait() {
    return this.#waitFor(text("dialog.planning"), text("dialog.cancel"), text("dialog.reading_plan"));
  }

  /**
   * @param {string} heading
   * @param {string} leave on the button that closes the dialog
   * @param {string} said what is waited for
   * @param {string} [hint]
   * @returns {() => boolean} whether the dialog still waits; closing it, or another question in it, ends that
   */
  #waitFor(heading, leave, said, hint = "") {
    const place = element("div", {}, element("p", { text: said, attributes: { role: "status" } }));
    const close = dialogButton(leave, "plain", () => this.dialog.close());
    this.heading.textContent = heading;
    this.body.replaceChildren(place, element("p", { class: "hint", text: hint }));
    this.buttons.replaceChildren(close);
    this.#show(close);
    return () => this.dialog.open && place.isConnected;
  }

  /** @param {unknown} problem why there is no question to be asked */
  fail(problem) {
    if (isSignedOut(problem)) this.dialog.close();
    else this.#showFailure(explained(problem));
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
    this.toast.clear();
    if (this.#isUnderWay && this.dialog.open) return;
    this.dialog.close();
    this.dialog.remove();
  }

  /**
   * Carry out what was confirmed, once the gateway answers: a dialog that was closed before has changed nothing.
   *
   * @param {(command: Command) => Promise<CommandAnswer>} perform
   * @param {boolean} [acceptsLoss] whether the person accepts what the gateway drops from config.yaml
   */
  async #perform(perform, acceptsLoss = false) {
    const parts = [this.heading, this.body, this.buttons];
    const asked = parts.map((part) => [...part.childNodes]), heading = text("dialog.working");
    let isShown = this.#waitFor(heading, text("dialog.cancel"), text("dialog.asking_gateway"));
    this.#isHeldUp = true;
    /** @type {Command | null} */ let command = null;
    try {
      const [newest] = await Promise.all([newestBatch(this.page),
        this.page.get("pool", { source: "api_key", family: "all", view: "slim", limit: 1 })]);
      if (!isShown()) return;
      isShown = this.#waitFor(heading, text("dialog.close"), text("dialog.sent"), text("dialog.goes_on"));
      this.#isHeldUp = false;
      this.#isUnderWay = true;
      command = new Command(this.client, newest, {
        onProgress: (batch) => { if (isShown()) this.#showProgress(batch); },
        onLost: () => {
          if (!isShown()) return;
          isShown = this.#waitFor(text("dialog.unknown"), text("dialog.close"), text("lost.answer"), text("lost.look"));
        },
        isWanted: () => !this.#left || this.dialog.open,
      });
      command.acceptsLoss = acceptsLoss;
      const done = await perform(command);
      await this.onDone();
      this.#settle(done, isShown());
    } catch (problem) {
      if (command) this.onDone();
      if (isShown() && isSignedOut(problem) && !command?.hasBegun) {
        // Nothing was done: the question, with its note, is there to be answered after the sign-in.
        parts.forEach((part, at) => part.replaceChildren(...asked[at]));
        this.#isUnderWay = this.#isHeldUp = false;
      } else if (isShown()) {
        this.#tellFailure(problem, () => this.#perform(perform, true));
      } else if (command && !isSignedOut(problem)) this.toast.tellProblem(problem);
    }
  }

  /**
   * Show what came of a change: in the dialog where there is something to read, else in a notice.
   *
   * @param {CommandAnswer} done
   * @param {boolean} isShown
   */
  #settle(done, isShown) {
    const reversal = reversalOfCommand(done);
    if (reversal) this.toast.last = reversal;
    this.toast.said = summaryOf(done);
    if (!isShown || wentAsAsked(done)) {
      if (isShown) this.dialog.close();
      if (!this.#left) this.toast.tell(reversal);
      return;
    }
    this.#isUndoable = Boolean(reversal);
    const undo = reversal && dialogButton(reversalVerb(reversal), "plain", () =>
      this.#perform((command) => this.#undo(reversal, command)));
    // How the batch ended, before a list of each account that may be longer than the screen.
    const [counts, ...each] = outcomeNodes(done.actions);
    this.#showEnd(text("dialog.result"), [counts, ...batchNodes(done.batch), ...each], undo ? [undo] : []);
  }

  /**
   * @param {unknown} problem
   * @param {() => void} accept carry the change out although the gateway drops parts of config.yaml with it
   */
  #tellFailure(problem, accept) {
    const isLoss = problem instanceof ApiProblem && problem.code === LOSS;
    if (isLoss) {
      this.#showEnd(text("dialog.failed"), [problemNode(problem.message, problem.hint)],
        [dialogButton(text("dialog.accept_loss"), "danger", accept)]);
    } else {
      this.#showFailure(isSignedOut(problem)
        ? { message: text("dialog.session_ended"), hint: text("dialog.goes_on") } : explained(problem));
    }
  }

  /** @param {{message: string, hint: string, code?: string}} problem */
  #showFailure({ message, hint, code }) {
    this.#showEnd(text(code === NO_RECORD ? "dialog.unknown" : "dialog.failed"), [problemNode(message, hint)]);
  }

  /**
   * @param {string} heading
   * @param {HTMLElement[]} body
   * @param {HTMLElement[]} [buttons] beside the one that closes the dialog
   */
  #showEnd(heading, body, buttons = []) {
    this.#isUnderWay = this.#isHeldUp = false;
    this.heading.textContent = heading;
    this.body.replaceChildren(...body);
    const close = dialogButton(text("dialog.close"), "primary", () => this.dialog.close());
    close.setAttribute("aria-describedby", OUTCOME_ID);
    this.buttons.replaceChildren(...buttons, close);
    this.#show(close);
  }

  /** @param {BatchView} batch */
  #showProgress(batch) {
    showProgress(this.heading, this.body, batch);
    if (this.buttons.childElementCount === 1) this.buttons.prepend(cancelButton(this.client, batch.id));
  }

  /** Take back the last change that this dialog carried out, if there is one. */
  undoLast() {
    if (this.toast.last) this.openReversal(this.toast.last);
    else this.toast.tellNothing();
  }

  /**
   * Ask whether to take changes back.
   *
   * @param {Reversal} reversal
   */
  openReversal(reversal) {
    this.#focus.about([...reversal.switched, ...reversal.deleted].map(({ account }) => account));
    this.open({
      title: reversalQuestion(reversal), verb: reversalVerb(reversal), body: reversalNodes(reversal),
      perform: (_, command) => this.#undo(reversal, command),
    });
  }

  /**
   * @param {Reversal} reversal
   * @param {Command} command
   */
  #undo(reversal, command) {
    this.toast.last = null;
    this.#isUndoable = false;
    this.toast.clear();
    return carryOut(this.client, reversal, command);
  }
}

import { text } from "../language/catalogue.js";
import { reversalOffer } from "./reversal.js";

/** @import { Reversal } from "./reversal.js" */

/** Topic of the notice that tells of the last change. */
const TOPIC = "undo";

/** Notice over the page of what became of the last change, with the offer to take it back. */
export class ChangeToast {
  /** @type {Reversal | null} what takes back the last change */ last = null;
  /** Summary of the last change. */ said = "";

  /**
   * @param {import("../notices.js").Notices} notices
   * @param {(reversal: Reversal) => void} onOffer called when the offer is taken: a question is asked first
   */
  constructor(notices, onOffer) {
    this.notices = notices;
    this.onOffer = onOffer;
  }

  /** @param {Reversal | null} reversal what the notice offers */
  tell(reversal) {
    this.#show({ text: this.said }, reversal);
  }

  /** Tell that a change was called off before it was sent, beside the offer that may still stand. */
  tellNotSent() {
    const hint = this.last ? text("undo.before", { said: this.said }) : "";
    this.#show({ text: text("dialog.not_sent"), hint }, this.last);
  }

  /** Tell that there is no change to take back, each time it is asked for. */
  tellNothing() {
    this.clear();
    this.#show({ text: text("undo.nothing") }, null);
  }

  /** @param {unknown} problem */
  tellProblem(problem) {
    this.notices.showProblem(TOPIC, problem);
  }

  clear() {
    this.notices.clear(TOPIC);
  }

  /**
   * @param {{text: string, hint?: string}} notice
   * @param {Reversal | null} reversal
   */
  #show(notice, reversal) {
    const action = reversal && { label: reversalOffer(reversal), act: () => this.onOffer(reversal) };
    this.notices.show(TOPIC, { ...notice, isToast: true, ...(action ? { action } : {}) });
  }
}

import { element, within } from "../dom.js";
import { dialogNode } from "./dialog_node.js";

/** Dialog that asks before a removal; the browser hands the focus back. */
export class Question {
  constructor() {
    this.dialog = dialogNode();
    document.body.append(this.dialog);
  }

  /**
   * @param {{title: string, body: string, verb: string, cancel: string}} words
   * @param {() => Promise<void>} perform
   */
  ask({ title, body, verb, cancel }, perform) {
    within(this.dialog, "#action-heading", HTMLElement).textContent = title;
    within(this.dialog, "#action-body", HTMLElement).replaceChildren(element("p", { text: body }));
    const keep = button(cancel, "plain", () => this.dialog.close());
    within(this.dialog, "#action-buttons", HTMLElement).replaceChildren(keep, button(verb, "danger", () => {
      this.dialog.close();
      perform();
    }));
    this.dialog.showModal();
    keep.focus();
  }

  /** Remove the dialog with its page. */
  leave() {
    this.dialog.remove();
  }
}

/**
 * @param {string} text
 * @param {string} kind
 * @param {() => void} act
 */
function button(text, kind, act) {
  return element("button", { class: kind, text, attributes: { type: "button" }, on: { click: act } });
}

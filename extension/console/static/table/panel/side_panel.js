import { byId, element } from "../../dom.js";
import { text } from "../../language/catalogue.js";
import { placedNodes } from "../../layout/account_name.js";
import { evidenceOf } from "./evidence.js";
import { history } from "./history.js";
import { deleteButton, switchButton } from "../row_view.js";

/**
 * @import { RecentView } from "../../../_generated_types.js"
 * @import { Row } from "../rows.js"
 * @import { RowHandlers } from "../row_view.js"
 */

/** Panel beside the table with the evidence, the actions and the history of one account. */
export class SidePanel {
  /** @type {Row | null} */ #row = null;
  #key = "";

  /**
   * @param {import("../vocabulary.js").Vocabulary} vocabulary
   * @param {RowHandlers} handlers
   * @param {() => void} onClose
   */
  constructor(vocabulary, handlers, onClose) {
    this.vocabulary = vocabulary;
    this.handlers = handlers;
    this.node = byId("side-panel");
    this.onClose = onClose;
  }

  /** Whether the panel is open. */
  get isOpen() {
    return this.#row !== null;
  }

  /** Whether the focus is in the panel. */
  get hasFocus() {
    return this.node.contains(document.activeElement);
  }

  /** Move the focus to the head of the panel: the table may have a hundred rows after the one it was opened from. */
  enter() {
    const head = this.node.querySelector("h2");
    if (head) head.focus({ preventScroll: true });
  }

  /**
   * @param {Row | null} row
   * @param {RecentView[]} recent results of the account, the newest first
   */
  render(row, recent) {
    const key = `${recent.length} ${recent[0]?.run ?? ""}`;
    if (row === this.#row && key === this.#key) return;
    const { activeElement } = document;
    const focused = activeElement instanceof HTMLElement && this.node.contains(activeElement)
      ? activeElement.dataset.control : undefined;
    this.#row = row;
    this.#key = key;
    this.node.hidden = row === null;
    document.body.classList.toggle("with-side-panel", row !== null);
    if (!row) {
      this.node.replaceChildren();
      return;
    }
    this.node.replaceChildren(
      element("div", { class: "side-head" },
        element("h2", {
          data: { control: "side-heading" }, attributes: { id: "side-heading", tabindex: -1 },
        }, ...nameNodes(row)),
        element("button", {
          class: "plain small", text: text("side.close"), data: { control: "side-close" },
          attributes: { type: "button" }, on: { click: () => this.onClose() },
        })),
      element("div", { class: "buttons" }, switchButton(row, this.handlers), deleteButton(row, this.handlers)),
      evidenceOf(row, this.handlers), history(recent, this.vocabulary));
    if (!focused) return;
    const successor = this.node.querySelector(`[data-control="${CSS.escape(focused)}"]`);
    if (successor instanceof HTMLElement) successor.focus();
  }
}

/**
 * Full name of the account of a row; only its parts from outside are isolated.
 *
 * @param {Row} row
 */
function nameNodes({ account, id, name: displayName, keyHint }) {
  return placedNodes({ ...(account ?? { id, displayName, keyHint }), place: "" });
}

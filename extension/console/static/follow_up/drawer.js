import { explained } from "../connection/problem.js";
import { element, within } from "../dom.js";
import { arrangeAround } from "../layout/kept_field.js";

/**
 * Part of a page that reads its content again when asked to: the whole of a panel, or a collapsible one while it is
 * open.
 */
export class Drawer {
  #latest = 0;

  /**
   * @param {HTMLElement} panel holds the body and, when it is collapsible, the details element around it
   * @param {() => Promise<HTMLElement[]>} read
   */
  constructor(panel, read) {
    this.panel = panel;
    this.read = read;
    this.details = panel.querySelector("details:has(> .drawer)");
    this.body = within(panel, ".drawer", HTMLElement);
    this.details?.addEventListener("toggle", () => this.refresh());
  }

  /** Reload, unless collapsed. Of several reads in progress only the newest counts. */
  async refresh() {
    if (this.details instanceof HTMLDetailsElement && !this.details.open) return;
    const mine = ++this.#latest;
    /** @type {HTMLElement[]} */
    let nodes;
    try {
      nodes = await this.read();
    } catch (problem) {
      nodes = [this.#problemNode(problem), ...this.#forms()];
    }
    if (mine === this.#latest) this.#show(nodes);
  }

  /** Forms stay while the rest cannot be read: something may be typed in them. */
  #forms() {
    return [...this.body.children].filter((node) => node instanceof HTMLFormElement);
  }

  /**
   * Build what says that the content could not be read. One that says so already stays, and is not read out again.
   *
   * @param {unknown} problem
   * @returns {HTMLElement}
   */
  #problemNode(problem) {
    const { message, hint } = explained(problem);
    const node = element("div", { class: "problem", attributes: { role: "alert" } },
      element("p", { text: message }), element("p", { class: "hint", text: hint }));
    const older = this.body.firstElementChild;
    return older instanceof HTMLElement && older.isEqualNode(node) ? older : node;
  }

  /**
   * Replace the content, keeping the focus and the expanded details. What stays is not moved: a field that is in use
   * would lose the keyboard.
   *
   * @param {HTMLElement[]} nodes
   */
  #show(nodes) {
    const active = document.activeElement;
    const focused = active && this.body.contains(active) ? nameOf(active) : "";
    const unfolded = new Set([...this.body.querySelectorAll("details[open]")].map(nameOf));
    arrangeAround(this.body, nodes);
    for (const details of this.body.querySelectorAll("details")) details.open = unfolded.has(nameOf(details));
    if (!focused || active?.isConnected) return;
    const controls = [...this.body.querySelectorAll("a, button, input, summary")];
    const successor = controls.find((control) => nameOf(control) === focused && !control.matches(":disabled"));
    const head = "summary, h1, [tabindex='-1']";
    const next = successor instanceof HTMLElement ? successor : within(this.panel, head, HTMLElement);
    next.focus();
  }
}

/**
 * Name of a control that stays the same when the drawer is rebuilt.
 *
 * @param {Element} control
 */
function nameOf(control) {
  return control.id || control.getAttribute("aria-label") || control.textContent;
}

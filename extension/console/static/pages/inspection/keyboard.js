import { element } from "../../dom.js";
import { text } from "../../language/catalogue.js";

/**
 * @typedef {object} Commands
 * @property {(step: number) => void} move
 * @property {() => void} select
 * @property {() => void} range
 * @property {() => void} disable
 * @property {() => void} enable
 * @property {() => void} undo
 * @property {() => void} search
 */

/** Keys of the table, each with the name of its text. */
const KEYS = /** @type {const} */ ({
  j: "down", k: "up", x: "select", X: "range", d: "disable", e: "enable", u: "undo", "/": "search", "?": "help",
});

/** Keys of the browser's own that open and close the details of an account. */
const PANEL_KEYS = /** @type {const} */ ([["Enter", "open"], ["Escape", "leave"]]);

/**
 * Let single keys act on the table, unless the focus is in a field or a dialog is open.
 *
 * @param {Commands} commands
 * @param {HTMLDialogElement} help
 * @param {AbortSignal} signal
 */
export function listenToKeys({ move, select, range, disable, enable, undo, search }, help, signal) {
  const acts = {
    down: () => move(1), up: () => move(-1), select, range, disable, enable, undo, search,
    help: () => help.showModal(),
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTyping(event.target)) return;
    if (document.querySelector("dialog[open]")) return;
    const name = KEYS[/** @type {keyof typeof KEYS} */ (event.key)];
    // With Caps Lock a letter is a capital, too.
    if (!name || (name === "range" && !event.shiftKey)) return;
    event.preventDefault();
    acts[name]();
  }, { signal });
}

/** Build the dialog that lists the keys. */
export function keyHelp() {
  const dialog = element("dialog", { attributes: { id: "key-help", "aria-labelledby": "key-help-heading" } },
    element("h2", { text: text("keys.heading"), attributes: { id: "key-help-heading" } }),
    element("dl", { class: "facts" }, ...Object.entries(KEYS).map(([key, name]) => element("div", {},
      element("dt", {}, element("kbd", { text: name === "range" ? text("keys.range_key") : key })),
      element("dd", { text: text(`keys.${name}`) }))),
    ...PANEL_KEYS.map(([key, name]) => element("div", {},
      element("dt", {}, element("kbd", { text: key })), element("dd", { text: text(`keys.${name}`) })))),
    element("form", { class: "buttons", attributes: { method: "dialog" } },
      element("button", { class: "primary", text: text("keys.close") })));
  return dialog;
}

/** @param {EventTarget | null} target */
function isTyping(target) {
  return target instanceof HTMLElement
    && target.matches("textarea, select, input:not([type=checkbox], [type=radio])");
}

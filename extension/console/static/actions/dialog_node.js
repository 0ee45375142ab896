import { element } from "../dom.js";

/** Build the dialog that confirms changes. */
export function dialogNode() {
  return element("dialog", { attributes: { id: "action-dialog", "aria-labelledby": "action-heading" } },
    element("form", { attributes: { method: "dialog" } },
      element("h2", { attributes: { id: "action-heading" } }),
      element("div", { attributes: { id: "action-body" } }),
      element("div", { class: "buttons", attributes: { id: "action-buttons" } })));
}

/**
 * @param {string} message what went wrong
 * @param {string} hint what to do next
 */
export function problemNode(message, hint) {
  return element("div", { class: "problem", attributes: { role: "alert" } },
    element("p", { text: message }), element("p", { class: "hint", text: hint }));
}

/**
 * @param {string} label
 * @param {string} kind
 * @param {() => void} act
 */
export function dialogButton(label, kind, act) {
  return element("button", { class: kind, text: label, attributes: { type: "button" }, on: { click: act } });
}

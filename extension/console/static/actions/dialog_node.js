import { element } from "../dom.js";

/** Build the dialog that confirms changes. */
export function dialogNode() {
  return element("dialog", { attributes: { id: "action-dialog", "aria-labelledby": "action-heading" } },
    element("form", { attributes: { method: "dialog" } },
      element("h2", { attributes: { id: "action-heading" } }),
      element("div", { attributes: { id: "action-body" } }),
      element("div", { class: "buttons", attributes: { id: "action-buttons" } })));
}

/**
 * Parts of a section that a phone shows on demand, so that the rows below are one swipe away. A wider window shows them
 * always, and no button.
 *
 * The section starts with `data-folded`; its parts are of the class `folds`.
 */

import { element } from "../dom.js";

/**
 * Build the button that unfolds and folds the section it is in.
 *
 * @param {string} name of the section
 * @param {string} label
 */
export function foldButton(name, label) {
  return element("button", {
    class: "fold plain small", text: label,
    attributes: { id: `fold-${name}`, type: "button", "aria-expanded": "false" },
    on: {
      click: ({ currentTarget }) => {
        const section = currentTarget instanceof HTMLElement ? currentTarget.closest("section") : null;
        if (section) setFolded(section, section.dataset.folded === undefined);
      },
    },
  });
}

/**
 * Unfold the section that a node is in.
 *
 * @param {HTMLElement} node
 */
export function unfold(node) {
  const section = node.closest("section[data-folded]");
  if (section instanceof HTMLElement) setFolded(section, false);
}

/**
 * @param {HTMLElement} section
 * @param {boolean} isFolded
 */
function setFolded(section, isFolded) {
  section.toggleAttribute("data-folded", isFolded);
  section.querySelector(".fold")?.setAttribute("aria-expanded", String(!isFolded));
}

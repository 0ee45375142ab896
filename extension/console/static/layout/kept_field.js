/**
 * Fields that stay while a page is read again. A field that has the keyboard may have its list of choices open, or text
 * in it that is not sent yet: the browser closes the list, and the text is lost, with the node.
 */

import { arrange } from "../dom.js";

/** @type {WeakMap<Element, () => void>} changes of fields that wait until the field is left */
const waiting = new WeakMap();

/**
 * Change a field now, or as soon as the keyboard has left it. Of several changes that wait the last one is made.
 *
 * @param {HTMLElement} field
 * @param {() => void} change
 */
export function whenUnused(field, change) {
  if (document.activeElement !== field) {
    waiting.delete(field);
    change();
    return;
  }
  const isListening = waiting.has(field);
  waiting.set(field, change);
  if (isListening) return;
  field.addEventListener("blur", () => {
    waiting.get(field)?.();
    waiting.delete(field);
  }, { once: true });
}

/**
 * Put `nodes` in the place of what a parent has, as `arrange` does; a field in use stays, with the nodes around it, in
 * the place of the one with its id.
 *
 * @param {Element} parent
 * @param {Element[]} nodes
 */
export function arrangeAround(parent, nodes) {
  const field = document.activeElement;
  const isField = field instanceof HTMLSelectElement || field instanceof HTMLInputElement;
  const successor = isField && field.id && parent.contains(field) ? withId(nodes, field.id) : null;
  if (!isField || !successor || successor === field) {
    arrange(parent, nodes);
    return;
  }
  const hasChoices = field instanceof HTMLSelectElement && successor instanceof HTMLSelectElement;
  if (hasChoices && field.value !== successor.value) field.value = successor.value;
  keep(parent, nodes, field, successor);
}

/**
 * Put `nodes` in the place of what a parent has, around a field in use. The keyboard of any other control goes to the
 * one with its id.
 *
 * @param {Element} parent
 * @param {Element[]} nodes
 */
export function refillAround(parent, nodes) {
  const { activeElement } = document;
  const id = activeElement && parent.contains(activeElement) ? activeElement.id : "";
  arrangeAround(parent, nodes);
  if (id && !activeElement?.isConnected) document.getElementById(id)?.focus();
}

/**
 * @param {Element[]} nodes
 * @param {string} id
 */
function withId(nodes, id) {
  const found = nodes.map((node) => (node.id === id ? node : node.querySelector(`#${CSS.escape(id)}`)));
  return found.find((node) => node !== null) ?? null;
}

/**
 * Arrange nodes around the branch of a field, and in it.
 *
 * @param {Element} parent
 * @param {Element[]} nodes
 * @param {Element} field
 * @param {Element} successor
 */
function keep(parent, nodes, field, successor) {
  const branch = [...parent.children].find((child) => child.contains(field));
  const fresh = nodes.find((node) => node.contains(successor));
  const isAlike = branch && fresh && (branch === field) === (fresh === successor);
  if (isAlike && branch !== field) keep(branch, [...fresh.children], field, successor);
  arrange(parent, nodes.map((node) => (isAlike && node === fresh ? branch : node)));
}

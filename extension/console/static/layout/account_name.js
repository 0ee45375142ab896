import { element } from "../dom.js";
import { clipped } from "../formatting.js";

/**
 * Account as it is named: several keys may share a display name.
 *
 * @typedef {{id: number, displayName: string, fileName?: string, keyHint?: string, place?: string}} NamedAccount
 */

/** Stands in a sentence for the nodes that come to its place. */
const PLACE = "\uE000";

/**
 * Name of an account as `placedName` has it. Each part from outside is isolated, so that a name that is written from
 * right to left leaves the number behind it where it stands.
 *
 * @param {NamedAccount} account
 * @returns {(Node | string)[]}
 */
export function placedNodes({ id, displayName, fileName, keyHint, place }) {
  const [name, file, short] = [displayName, fileName ?? "", place ?? ""].map((each) => clipped(each));
  const hint = file ? "" : keyHint ?? "";
  const number = file ? "" : ` #${id}`;
  const named = [isolated(file && file === name ? file : name), number,
    ...(hint ? [" ", hintNode(hint)] : []), ...(file && file !== name ? [", ", isolated(file)] : [])];
  const said = `${name}${number}${hint}${file}`;
  return !short || said.includes(short) ? named : [...named, ", ", isolated(short)];
}

/**
 * Key hint in brackets, which does not break at its ellipsis.
 *
 * @param {string} hint
 */
function hintNode(hint) {
  return element("span", { class: "unbroken", text: `(${hint})` });
}

/** @param {string} text from outside */
export function isolated(text) {
  return element("bdi", { text });
}

/**
 * Phrase a sentence around nodes.
 *
 * @param {(place: string) => string} said the sentence, with a text at the place of the nodes
 * @param {(Node | string)[]} nodes
 * @returns {(Node | string)[]}
 */
export function around(said, nodes) {
  const [before, after = ""] = said(PLACE).split(PLACE);
  return [before, ...nodes, after];
}

/** Cells of the action log: the account of an action, and its cause. */

import { element } from "../dom.js";
import { placedName } from "../formatting.js";
import { text, tokenText } from "../language/catalogue.js";
import { placedNodes } from "../layout/account_name.js";
import { pageAddress } from "../layout/tile.js";

/** @import { ActionView } from "../../_generated_types.js" */

/** @param {ActionView} action */
export function nameOf(action) {
  return placedName({ ...action, id: action.account });
}

/**
 * Name of the account of an action, with a link to its row where there is one still.
 *
 * @param {ActionView} action
 */
export function nameNode(action) {
  const name = placedNodes({ ...action, id: action.account });
  const source = sourceOf(action);
  if (!source || action.action === "delete") return element("span", { class: "placed" }, ...name);
  const href = pageAddress("inspection", { source, account: action.account });
  return element("a", { class: "placed", attributes: { href } }, ...name);
}

/**
 * Source of the account of an action: the place of a file is its name, that of a key a number in a section. Empty for
 * an action of an earlier version that has neither.
 *
 * @param {ActionView} action
 */
function sourceOf({ keyHint, place }) {
  if (keyHint || /^[\w-]+\[\d+\]/.test(place) && !place.endsWith(".json")) return "api_key";
  return place ? "oauth" : "";
}

/** @param {ActionView} action */
export function causeText({ cause, run, undoes }) {
  const named = tokenText("cause", cause);
  if (undoes) return text("log.cause_of", { cause: named, id: String(undoes) });
  return run && cause !== "request" ? text("log.cause_in", { cause: named, run: String(run) }) : named;
}

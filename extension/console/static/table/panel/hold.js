import { element } from "../../dom.js";
import { text, tokenText } from "../../language/catalogue.js";
import { isStillOnHold } from "../query.js";

/**
 * @import { Row } from "../rows.js"
 * @import { RowHandlers } from "../row_view.js"
 */

/**
 * Say that the change of an account is on hold, why, and what releases it; nothing for any other account. The reason is
 * asked for when the panel opens: the list of accounts does not carry it.
 *
 * @param {Row} row
 * @param {RowHandlers["readHold"]} readHold
 * @returns {HTMLElement[]}
 */
export function holdNodes(row, readHold) {
  if (!isStillOnHold(row)) return [];
  const said = (/** @type {string} */ reason) =>
    text("evidence.hold_waits", { action: tokenText("action", row.action), reason }).trim();
  const why = element("p", { text: said("") });
  readHold(row).then((reason) => { why.textContent = said(reason); }, () => {});
  return [why, element("p", { class: "hint", text: text("evidence.hold_remedy") })];
}

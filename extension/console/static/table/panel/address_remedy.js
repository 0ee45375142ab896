import { element } from "../../dom.js";
import { text } from "../../language/catalogue.js";

/**
 * @import { Verdict } from "../../../_generated_types.js"
 * @import { Row } from "../rows.js"
 * @import { Vocabulary } from "../vocabulary.js"
 */

/** @type {Verdict} */
const WITHOUT_ADDRESS = "no_base_url";

/**
 * Button that lets the next run use the vendor's public base URL, for a row that needs it and may use it.
 *
 * @param {Row} row
 * @param {Vocabulary} vocabulary
 * @param {() => void} onUse
 */
export function addressRemedy({ verdict, family, account }, vocabulary, onUse) {
  if (verdict !== WITHOUT_ADDRESS || !vocabulary.hasPublicAddress(family)) return null;
  if (!account || account.baseUrl) return null;
  return element("button", {
    class: "plain small", text: text("evidence.use_vendor"), attributes: { type: "button" },
    on: { click: onUse },
  });
}

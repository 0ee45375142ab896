/**
 * Names of quota windows in the chosen language. The service names them in English, alone or in a list with their use;
 * the name of a model, or one that only the vendor knows, stays as it is.
 */

import { isLanguageOfService, text } from "./catalogue.js";

/** @import { Key } from "./catalogue.js" */

const KNOWN = /(?<![\w.-])(?:(\d+) ([hd])|(weekly|daily|monthly|credits|quota|models|code review|not told))(?![\w.-])/g;

/**
 * @param {string} named such as "5 h", "code review weekly" or " (5 h 30 %, weekly 15 %)"
 */
export function windowWords(named) {
  if (isLanguageOfService()) return named;
  return named.replace(KNOWN, (_, count, unit, word) => (count
    ? text(unit === "h" ? "quota_window.hours" : "quota_window.days", { n: count })
    : text(/** @type {Key} */ (`quota_window.${word.replace(" ", "_")}`))));
}

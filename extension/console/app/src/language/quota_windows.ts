/**
 * Names of quota windows in the chosen language. The service names them in English, alone or in a list with their use;
 * the name of a model, or one that only the vendor knows, stays as it is.
 */

import { isLanguageOfService, text, type Key } from "./catalogue.js";

const KNOWN = /(?<![\w.-])(?:(\d+) ([hd])|(weekly|daily|monthly|credits|quota|models|code review|not told))(?![\w.-])/g;

/** Phrase names such as "5 h", "code review weekly" or " (5 h 30 %, weekly 15 %)". */
export function windowWords(named: string): string {
  if (isLanguageOfService()) return named;
  return named.replace(KNOWN, (_, count: string | undefined, unit: string, word: string) =>
    count
      ? text(unit === "h" ? "quota_window.hours" : "quota_window.days", { n: count })
      : text(`quota_window.${word.replace(" ", "_")}` as Key),
  );
}

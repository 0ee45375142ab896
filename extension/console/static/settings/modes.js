import { MODES_BY_SOURCE } from "../_generated_constants.js";

/**
 * @import { AutoActionMode, Source } from "../../_generated_types.js"
 */

/**
 * Labels of the automatic modes, by account source.
 *
 * @type {{oauth: Record<AutoActionMode, string>, api_key: Record<"none" | "disable", string>}}
 */
const LABELS = {
  oauth: {
    none: "None: recommend only",
    disable: "Disable what fails",
    delete: "Delete what is revoked, disable what else fails",
    strategy4: "Strategy 4: disable, delete and enable, all accounts",
    strategy5: "Strategy 5: as 4, only accounts now disabled",
    strategy6: "Strategy 6: as 4, only accounts now enabled",
  },
  api_key: {
    none: "None: recommend only",
    disable: "Disable what fails, enable what works again",
  },
};

/**
 * Return the automatic modes of an account source with their labels.
 *
 * @param {Source} source
 * @returns {[string, string][]}
 */
export function modesOf(source) {
  return MODES_BY_SOURCE[source].map((mode) => [mode, modeLabel(source, mode)]);
}

/**
 * @param {Source} source
 * @param {AutoActionMode} mode
 */
export function modeLabel(source, mode) {
  const labels = /** @type {Partial<Record<AutoActionMode, string>>} */ (LABELS[source]);
  return labels[mode] ?? mode;
}

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
    disable: "Disable failing accounts",
    delete: "Delete revoked files, disable other failing accounts",
    strategy4: "Fix everything: disable, delete and enable",
    strategy5: "Only disabled accounts: enable or delete",
    strategy6: "Only enabled accounts: disable or delete",
  },
  api_key: {
    none: "None: recommend only",
    disable: "Disable failing keys, enable recovered ones",
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

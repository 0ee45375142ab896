import { tokenText } from "../language/catalogue.js";

/**
 * Return the label of an automatic mode; the same mode means another change for API keys than for files.
 *
 * @param {import("../../_generated_types.js").Source} source
 * @param {string} mode
 */
export function modeLabel(source, mode) {
  return tokenText("mode", `${source}.${mode}`, mode);
}

import { formatActor, formatTime } from "../../formatting.js";
import { text } from "../../language/catalogue.js";
import { reasonsText } from "../../language/reasons.js";

/** @import { DisabledByView } from "../../../_generated_types.js" */

/**
 * Phrase the action that disabled an account: actor, time and reason; empty without one.
 *
 * @param {DisabledByView | null} by
 */
export function disabledByText(by) {
  if (!by) return "";
  const parts = { actor: formatActor(by.actor), time: formatTime(by.at) };
  const reason = reasonsText(by.reasons, by.reason);
  return reason ? text("fact.disabled_why", { ...parts, reason }) : text("fact.disabled_at", parts);
}

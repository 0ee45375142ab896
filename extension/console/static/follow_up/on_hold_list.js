import { accountName, formatTime } from "../formatting.js";
import { listing, paragraph, smallButton, titled } from "./listing.js";

/** @import { HeldView } from "../../_generated_types.js" */

/**
 * Actions that the circuit breaker put on hold, with buttons that release them.
 *
 * @param {HeldView[]} held
 * @param {(held: HeldView[]) => void} onRelease
 */
export function onHoldList(held, onRelease) {
  if (!held.length) return titled("On hold", paragraph("No actions are on hold."));
  const waiting = held.filter((each) => !each.releasedAt);
  const rows = held.map((each) => {
    const name = accountName({ ...each, id: each.account });
    const release = each.releasedAt
      ? `released ${formatTime(each.releasedAt)}`
      : smallButton("Release…", () => onRelease([each]), `Release ${name}`);
    return [name, each.action, each.reason, release];
  });
  const all = waiting.length > 1 ? [smallButton(`Release all ${waiting.length}…`, () => onRelease(waiting))] : [];
  return titled("On hold", ...all, listing(["Account", "Action", "Reason", ""], rows));
}

import { accountName, formatTime } from "../formatting.js";
import { listing, paragraph, smallButton, titled } from "./listing.js";

/** @import { HeldView } from "../../_generated_types.js" */

/**
 * What the brake kept a run from doing, with its reason, and buttons to do it all the same.
 *
 * @param {HeldView[]} held
 * @param {(held: HeldView[]) => void} onRelease
 */
export function heldList(held, onRelease) {
  if (!held.length) return titled("Held by the brake", paragraph("Nothing was held."));
  const waiting = held.filter((each) => !each.releasedAt);
  const rows = held.map((each) => {
    const name = accountName({ id: each.account, displayName: each.displayName });
    const release = each.releasedAt
      ? `released ${formatTime(each.releasedAt)}`
      : smallButton("Release…", () => onRelease([each]), `Release ${name}`);
    return [name, each.action, each.reason, release];
  });
  const all = waiting.length > 1 ? [smallButton(`Release all ${waiting.length}…`, () => onRelease(waiting))] : [];
  return titled("Held by the brake", ...all, listing(["Account", "Action", "Why it is held", ""], rows));
}

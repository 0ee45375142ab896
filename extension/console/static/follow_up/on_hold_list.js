import { formatTime, plural } from "../formatting.js";
import { listing, paragraph, smallButton, titled } from "./listing.js";

/** @import { HeldView } from "../../_generated_types.js" */

/**
 * Actions that the circuit breaker put on hold: one line and one button for each host.
 *
 * @param {HeldView[]} held
 * @param {(held: HeldView[]) => void} onRelease
 */
export function onHoldList(held, onRelease) {
  if (!held.length) return titled("On hold", paragraph("No actions are on hold."));
  const waiting = held.filter((each) => !each.releasedAt);
  const hosts = [...new Set(held.map(({ host }) => host))];
  const rows = hosts.map((host) => {
    const name = host || "unknown host";
    const all = held.filter((each) => each.host === host);
    const left = all.filter((each) => !each.releasedAt);
    const release = left.length
      ? smallButton(`Release ${left.length}…`, () => onRelease(left), `Release ${left.length} at ${name}`)
      : `released ${formatTime(Math.max(...all.map(({ releasedAt }) => releasedAt ?? 0)))}`;
    return [name, plural((left.length ? left : all).length, "account"), all[0].reason, release];
  });
  const all = hosts.length > 1 && waiting.length > 1
    ? [smallButton(`Release all ${waiting.length}…`, () => onRelease(waiting))] : [];
  return titled("On hold", ...all, listing(["Host", "Accounts", "Reason", ""], rows));
}

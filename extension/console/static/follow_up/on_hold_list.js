import { formatTime } from "../formatting.js";
import { holdReasons } from "./hold_reasons.js";
import { listing, paragraph, smallButton, titled } from "./listing.js";
import { hostName } from "../layout/host_name.js";
import { text } from "../language/catalogue.js";
import { holdText } from "../language/reasons.js";
import { address } from "../layout/address.js";

/** @import { HeldView } from "../../_generated_types.js" */

/**
 * Actions that the circuit breaker put on hold: one line and one button for each host.
 *
 * @param {HeldView[]} held
 * @param {(held: HeldView[]) => void} onRelease
 */
export function onHoldList(held, onRelease) {
  if (!held.length) return titled(text("hold.title"), paragraph(text("hold.none")));
  const waiting = held.filter((each) => !each.releasedAt);
  const hosts = [...new Set(held.map(({ host }) => host))];
  const rows = hosts.map((host) => {
    const name = hostName(host);
    const all = held.filter((each) => each.host === host);
    const left = all.filter((each) => !each.releasedAt);
    const release = left.length
      ? smallButton(text("hold.release", { n: left.length }), () => onRelease(left),
        text("hold.release_at", { n: left.length, host: name }))
      : text("hold.released", { time: formatTime(Math.max(...all.map(({ releasedAt }) => releasedAt ?? 0))) });
    const shown = left.length ? left : all;
    const reasons = holdReasons(shown.map((each) => holdText(each, each.reason)));
    return [address(name), text("count.accounts", { n: shown.length }), reasons, release];
  });
  const all = hosts.length > 1 && waiting.length > 1
    ? [smallButton(text("hold.release_all", { n: waiting.length }), () => onRelease(waiting))] : [];
  return titled(text("hold.title"), ...all,
    listing([text("hold.host"), text("hold.accounts"), text("hold.reason"), ""], rows));
}

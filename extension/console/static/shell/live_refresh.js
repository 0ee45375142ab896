/**
 * @import { Live, LiveKind } from "./live.js"
 */

const SETTLE_MS = 400;

/**
 * Refresh a part of a page after events, once for several that come together. While the keyboard is in the part, the
 * refresh waits until it has left: the control that has the focus would vanish.
 *
 * @param {Pick<Live, "on">} live
 * @param {LiveKind[]} kinds
 * @param {HTMLElement} place that is refreshed
 * @param {() => unknown} refresh
 * @param {number} [settleMs]
 * @returns {() => void} ends the refreshing
 */
export function refreshOn(live, kinds, place, refresh, settleMs = SETTLE_MS) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  let isDue = false;
  const refreshOrWait = () => {
    isDue = place.querySelector(":focus-visible, select:focus") !== null;
    if (!isDue) refresh();
  };
  const soon = () => {
    clearTimeout(timer);
    timer = setTimeout(refreshOrWait, settleMs);
  };
  const left = () => { if (isDue) soon(); };
  place.addEventListener("focusout", left);
  const stop = live.on(kinds, soon);
  return () => {
    stop();
    clearTimeout(timer);
    place.removeEventListener("focusout", left);
  };
}

import { byId, within } from "../dom.js";
import { formatCount, formatTime, plural } from "../formatting.js";

const COUNTS = /** @type {const} */ (["total", "enabled", "disabled"]);

/** Statistics of the pool in view, and a warning about unsupported entries. */
export class Capsule {
  /**
   * @param {import("./pool_model.js").PoolModel} pool
   * @param {import("../notices.js").Notices} notices
   * @param {AbortSignal} signal ends with the page
   */
  constructor(pool, notices, signal) {
    this.pool = pool;
    this.notices = notices;
    this.node = byId("capsule");
    pool.addEventListener("change", () => this.render(), { signal });
  }

  render() {
    const { statistics, readAt, skipped } = this.pool;
    for (const name of COUNTS) {
      const cell = within(this.node, `[data-count=${name}]`, HTMLElement);
      const text = statistics ? formatCount(statistics[name]) : "–";
      if (cell.textContent !== text) cell.textContent = text;
    }
    const leftOut = byId("left-out");
    leftOut.hidden = !skipped.length;
    within(leftOut, "dd", HTMLElement).textContent = formatCount(skipped.length);
    this.node.title = `Read at ${formatTime(readAt)}`;
    if (!skipped.length) {
      this.notices.clear("skipped");
      return;
    }
    this.notices.show("skipped", {
      level: "warning",
      text: `${plural(skipped.length, "entry", "entries")} of the gateway's list cannot be checked.`,
      details: skipped.map(({ name, reason }) => `${name}: ${reason}`),
    });
  }
}

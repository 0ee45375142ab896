import { byId, within } from "../dom.js";
import { formatCount, formatTime } from "../formatting.js";
import { text } from "../language/catalogue.js";
import { UNKNOWN_COUNT } from "../table/extent.js";

const COUNTS = /** @type {const} */ (["total", "enabled", "disabled"]);

/** Statistics of the pool in view, and a warning about unsupported entries. */
export class Capsule {
  /**
   * @param {import("./pool_model.js").PoolModel} pool
   * @param {import("../notices.js").Notices} notices
   * @param {AbortSignal} signal the page is left
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
      const shown = statistics ? formatCount(statistics[name]) : UNKNOWN_COUNT;
      if (cell.textContent !== shown) cell.textContent = shown;
    }
    const leftOut = byId("left-out");
    leftOut.hidden = !skipped.length;
    within(leftOut, "dd", HTMLElement).textContent = formatCount(skipped.length);
    this.node.title = text("scope.read_at", { time: formatTime(readAt) });
    if (!skipped.length) {
      this.notices.clear("skipped");
      return;
    }
    this.notices.show("skipped", {
      level: "warning",
      text: text("scope.unsupported_entries", { n: skipped.length }),
      details: skipped.map(({ name, reason }) => `${name}: ${reason}`),
    });
  }
}

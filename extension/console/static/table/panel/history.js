import { element } from "../../dom.js";
import { formatLatency, formatStatus, formatTime } from "../../formatting.js";
import { text } from "../../language/catalogue.js";
import { toneOf } from "../vocabulary.js";

/** @import { RecentView } from "../../../_generated_types.js" */

/**
 * Table of the last results of an account.
 *
 * @param {RecentView[]} recent the newest first
 * @param {import("../vocabulary.js").Vocabulary} vocabulary
 */
export function history(recent, vocabulary) {
  const head = /** @type {const} */ (["run", "time", "status", "http", "latency"]);
  return element("section", { class: "history" },
    element("h3", { text: text("side.history") }),
    recent.length === 0 ? element("p", { text: text("side.no_history") }) : element("table", { class: "attempts" },
      element("thead", {}, element("tr", {}, ...head.map((name) =>
        element("th", { text: text(`history.${name}`), attributes: { scope: "col" } })))),
      element("tbody", {}, ...recent.map(({ run, at, verdict, status, latencyMs }) => element("tr", {},
        element("td", { text: String(run) }), element("td", { text: formatTime(at) }),
        element("td", {}, element("span", {
          class: "pill", text: vocabulary.verdict(verdict), data: { tone: toneOf(verdict) },
        })),
        element("td", { text: formatStatus(status) }), element("td", { text: formatLatency(latencyMs) }))))));
}

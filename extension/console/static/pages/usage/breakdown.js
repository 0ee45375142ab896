/** Tables of usage by name, failing accounts with their reasons, and the map of the week. */

import { element } from "../../dom.js";
import { currentLocale, text } from "../../language/catalogue.js";
import { pageAddress, tile } from "../../layout/tile.js";
import { drawHeatMap } from "../../pictures/heat_map.js";
import { Picture } from "../../pictures/picture.js";
import { formatMs, leastCount, leastShort } from "../../usage/amounts.js";
import { costButton } from "../../usage/cost_dialog.js";
import { gapHours } from "../../usage/periods.js";

/** @import { FailuresAnswer, SummaryAnswer } from "../../../_generated_types.js" */
/** @import { Period } from "../../usage/periods.js" */
/** @import { Dimension } from "../../usage/selection.js" */
/** @import { Measure } from "../../usage/series.js" */

const MONDAY = Date.UTC(2024, 0, 1);
const DAY = 24 * 3_600_000;
const HOURS = 24;

/**
 * Build a table with a link in the first column of each row.
 *
 * @param {string} title
 * @param {string[]} heads
 * @param {{name: string, href: string, cells: (string | Node)[]}[]} rows
 * @param {string} [kind] style of its table: on a phone `cards` has a card for each row
 */
export function linkedTable(title, heads, rows, kind = "cards") {
  return element("div", {
    class: "scroll", attributes: { tabindex: 0, role: "region", "aria-label": `${title}: ${text("picture.table")}` },
  },
    element("table", { class: `plain-table ${kind}` },
      element("thead", {}, element("tr", {}, ...heads.map((name, index) => element("th", {
        text: name, class: index ? "number" : "", attributes: { scope: "col" },
      })))),
      element("tbody", {}, ...rows.map(({ name, href, cells }) => element("tr", {},
        element("th", { attributes: { scope: "row" } }, element("a", { attributes: { href } },
          element("bdi", { class: "clamped", text: name }))),
        ...cells.map((cell, at) => element("td", { class: "number", data: { label: heads[at + 1] ?? "" } }, cell)))))));
}

/**
 * @param {SummaryAnswer} summary with gaps all its sums are least ones
 * @param {Dimension} by
 * @param {Measure} measure orders the rows, the largest first
 * @param {Record<string, string>} selection query of the page
 * @param {(name: string, label?: string) => string} shown
 * @param {(figures: SummaryAnswer["totals"], name: string, shown: string) => void} explain
 */
export function groupTile({ groups, leftOff, gaps }, by, measure, selection, shown, explain) {
  const title = text("usage.by_title", { by: text(`usage_by.${by}`) });
  const heads = [
    text(`usage_by.${by}`), text("usage.requests"), text("usage.failed"), text("usage.tokens"), text("usage.cost"),
      "p50", "p95",
  ];
  const isPartial = gaps.length > 0;
  const sorted = [...groups].sort((one, other) => amountOf(other, measure) - amountOf(one, measure));
  const rows = sorted.map(({ name, label, figures }) => ({
    name: shown(name, label),
    href: pageAddress("requests", { ...selection, [by]: name,
      ...(by === "failure" && !name ? { failed: "false" } : {}) }),
    cells: [
      leastCount(figures.requests, isPartial), leastCount(figures.failed, isPartial),
      leastShort(figures.tokens.total, isPartial),
      costButton(figures, () => explain(figures, name, shown(name, label)), isPartial),
      formatMs(figures.latency?.p50), formatMs(figures.latency?.p95),
    ],
  }));
  const rest = leftOff ? [element("p", { class: "hint", text: text("usage.left_off", { n: leftOff }) })] : [];
  return tile(title, { wide: true }, linkedTable(title, heads, rows), ...rest);
}

/**
 * @param {SummaryAnswer["groups"][number]} group
 * @param {Measure} measure
 */
function amountOf({ figures }, measure) {
  if (measure === "tokens") return figures.tokens.total;
  return Number(figures[measure] ?? 0);
}

/**
 * @param {FailuresAnswer} failures
 * @param {Record<string, string>} selection
 * @param {boolean} isPartial whether records may be missing
 */
export function failureTile({ accounts }, selection, isPartial) {
  const title = text("usage.failing");
  if (!accounts.length) return tile(title, {}, element("p", { text: text("usage.no_failures") }));
  const rows = accounts.map((account) => ({
    name: account.label || account.name || text("usage.no_name"),
    href: pageAddress("requests", { ...selection, account: account.name, failed: "true" }),
    cells: [
      leastCount(account.requests, isPartial),
      leastCount(account.failed, isPartial),
      element("ul", { class: "reasons" }, ...account.reasons.map(({ failure, requests }) => element("li", {},
        element("a", {
          attributes: { href: pageAddress("requests", { ...selection, account: account.name, failure }) },
        }, element("bdi", { class: "clamped", text: failure })), ` ${leastCount(requests, isPartial)}`))),
    ],
  }));
  const heads = [text("usage_by.account"), text("usage.requests"), text("usage.failed"), text("usage.reasons")];
  const table = linkedTable(title, heads, rows, "");
  table.classList.add("failing");
  return tile(title, { wide: true }, table);
}

/**
 * @param {SummaryAnswer} summary
 * @param {Period} period of the summary
 */
export function heatTile({ heat, gaps }, period) {
  const locale = currentLocale();
  const days = new Intl.DateTimeFormat(locale, { weekday: "short", timeZone: "UTC" });
  const rowNames = heat.map((_, day) => days.format(MONDAY + day * DAY));
  const columnNames = Array.from({ length: HOURS }, (_, hour) => `${String(hour).padStart(2, "0")}:00`);
  const hours = gapHours(gaps, period);
  const format = (/** @type {number} */ value, /** @type {number} */ day, /** @type {number} */ hour) =>
    leastCount(value, hours.has(day * HOURS + hour));
  const frame = new Picture(text("usage.heat"));
  frame.show({
    draw: (width) => drawHeatMap({ rows: heat, rowNames, columnNames, format }, { width }),
    table: { head: [text("usage.day"), ...columnNames], rows: heat.map((row, day) => [rowNames[day],
      ...row.map((value, hour) => format(value, day, hour))]) },
  });
  return element("section", { class: "panel wide", attributes: { "aria-label": frame.title } }, frame.node);
}

/** Pictures of the pool's health: statuses, hosts and the trend over runs. */

import { element } from "../../dom.js";
import { text } from "../../language/catalogue.js";
import { hostName } from "../../layout/host_name.js";
import { pageAddress, tile } from "../../layout/tile.js";
import { drawColumns } from "../../pictures/columns.js";
import { Picture } from "../../pictures/picture.js";
import { drawStackedBar } from "../../pictures/stacked_bar.js";
import { PATTERN_COUNT, svgOf } from "../../pictures/svg.js";
import { toneOf } from "../../table/vocabulary.js";
import { formatWhole } from "../../usage/amounts.js";

/** @import { OverviewAnswer, Source } from "../../../_generated_types.js" */
/** @import { Part } from "../../pictures/stacked_bar.js" */
/** @import { PageContext } from "../../shell/context.js" */

const BAR = { height: 34 };
const ROW = { width: 200, height: 12 };
const TREND = { height: 170 };
const SOURCES = /** @type {const} */ (["api_key", "oauth"]);
const TONES = /** @type {const} */ (["good", "caution", "bad", "neutral"]);

/**
 * Return the parts of a bar of statuses in the service's order, each with a link to its accounts. A status has the same
 * pattern in every bar, and no other has it: colors of one lightness cannot be told apart on paper.
 *
 * @param {Record<string, number>} statuses
 * @param {PageContext["vocabulary"]} vocabulary
 * @param {Record<string, string>} query of the link
 * @returns {Part[]}
 */
export function statusParts(statuses, vocabulary, query) {
  const order = [...new Set([...vocabulary.tokens, ...Object.keys(statuses)])];
  return order.flatMap((token, place) => {
    const value = statuses[token] ?? 0;
    if (!value) return [];
    const tone = token ? toneOf(token) : "neutral";
    return [{
      name: token ? vocabulary.verdict(token) : text("overview.never_checked"),
      value,
      text: formatWhole(value),
      fill: { tone, pattern: place % PATTERN_COUNT },
      href: pageAddress("inspection", { ...query, verdict: token || "none" }),
    }];
  });
}

/**
 * Build the section about the health of the pool.
 *
 * @param {OverviewAnswer} answer
 * @param {PageContext} context
 */
export function healthTile(answer, { vocabulary }) {
  const bars = SOURCES.flatMap((source) => {
    const parts = statusParts(answer.statuses[source] ?? {}, vocabulary, { source });
    if (!parts.length) return [];
    const name = text(`overview.${source}`);
    const picture = new Picture(text("overview.statuses_of", { source: name }), 3);
    picture.show({
      draw: (width) => drawStackedBar(parts, { width, ...BAR }),
      legend: parts.map((part) => ({ name: part.name, fill: part.fill, href: part.href, count: part.text })),
      table: {
        head: [text("overview.status"), text("overview.accounts")],
        rows: parts.map((part) => [part.name, part.text]),
      },
    });
    return [picture.node];
  });
  if (!bars.length) {
    bars.push(element("p", { text: text("overview.no_accounts") }));
  }
  return tile(text("overview.health"), { wide: true }, ...bars);
}

/**
 * Build the table of hosts, those with the most unhealthy accounts first, each with its bar.
 *
 * @param {OverviewAnswer} answer
 * @param {PageContext} context
 */
export function hostTile({ hosts, hostsLeftOff }, { vocabulary }) {
  const rows = hosts.map((host) => {
    const query = { source: host.source, host: host.host };
    const parts = statusParts(host.statuses, vocabulary, query);
    const bar = svgOf(drawStackedBar(parts, ROW), true);
    return element("tr", {},
      element("th", { attributes: { scope: "row" } },
        element("a", { attributes: { href: pageAddress("inspection", query) } },
          element("bdi", { class: "clamped", text: hostName(host.host) })),
        " ", element("small", { text: text(`overview.${host.source}`) })),
      element("td", { class: "wrapped" }, element("div", { class: "bar" }, bar)),
      numberCell(text("overview.accounts"), host.total),
      numberCell(text("overview.unhealthy"), host.unhealthy));
  });
  const title = text("overview.hosts");
  const heads = [text("overview.host"), text("overview.statuses"), text("overview.accounts"),
    text("overview.unhealthy")];
  const hints = ["", "", "", text("overview.unhealthy_hint")];
  const table = element("div", {
    class: "scroll", attributes: { tabindex: 0, role: "region", "aria-label": `${title}: ${text("picture.table")}` },
  },
    element("table", { class: "plain-table cards" },
      element("thead", {}, element("tr", {}, ...heads.map((name, index) => element("th", {
        text: name, class: index > 1 ? "number" : "", attributes: { scope: "col", title: hints[index] || undefined },
      })))),
      element("tbody", {}, ...rows)));
  const rest = hostsLeftOff
    ? [element("p", { class: "hint", text: text("overview.more_hosts", { n: hostsLeftOff }) })] : [];
  return tile(title, { wide: true }, ...(rows.length ? [table, ...rest] : [element("p",
    { text: text("overview.no_accounts") })]));
}

/**
 * @param {string} label of its column
 * @param {number} value
 */
function numberCell(label, value) {
  return element("td", { class: "number", text: formatWhole(value), data: { label } });
}

/**
 * Build the pictures of the results of the last runs, one for each source: runs of two sources have no common measure.
 *
 * @param {Pick<OverviewAnswer, "runs">} answer
 * @param {PageContext} context
 */
export function trendTile({ runs }, { format }) {
  const title = text("overview.trend");
  if (!runs.length) {
    return tile(title, {}, element("p", {}, element("a", {
      text: text("overview.no_runs"), attributes: { href: "inspection" },
    })));
  }
  const pictures = SOURCES.flatMap((source) => {
    const ofSource = runs.filter((run) => run.source === source);
    return ofSource.length ? [trendPicture(source, ofSource, format.formatTime)] : [];
  });
  return tile(title, { wide: true }, ...pictures);
}

/**
 * @param {Source} source
 * @param {OverviewAnswer["runs"]} runs
 * @param {(at: number) => string} time
 */
function trendPicture(source, runs, time) {
  const names = TONES.map((tone) => text(`overview.tone_${tone}`));
  const points = runs.map((run) => {
    const values = TONES.map((tone) => Object.entries(run.statuses)
      .filter(([token]) => toneOf(token) === tone).reduce((sum, [, count]) => sum + count, 0));
    return {
      label: text("overview.run_at", { id: String(run.run), time: time(run.startedAt) }),
      mark: `${run.run}`,
      values,
      texts: values.map(formatWhole),
      href: pageAddress("inspection", { source, run: run.run }),
    };
  });
  const series = TONES.map((tone, index) => ({ name: names[index], fill: { tone, pattern: index } }));
  const picture = { points, series, format: formatWhole, whole: true, gapText: "" };
  const frame = new Picture(text("overview.trend_of", { source: text(`overview.${source}`) }), 3);
  frame.show({
    draw: (width) => drawColumns(picture, { width, ...TREND }),
    legend: series,
    table: {
      head: [text("overview.run"), ...names], rows: points.map(({ label, texts }) => [label, ...texts]),
    },
  });
  return frame.node;
}

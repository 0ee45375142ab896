import { downloadControl } from "../../connection/download.js";
import { isSignedOut } from "../../connection/problem.js";
import { element } from "../../dom.js";
import { text } from "../../language/catalogue.js";
import { refillAround } from "../../layout/kept_field.js";
import { choice, factList, pageAddress } from "../../layout/tile.js";
import { drawColumns } from "../../pictures/columns.js";
import { drawLines } from "../../pictures/lines.js";
import { Picture } from "../../pictures/picture.js";
import { formatMs, leastCount, leastShort } from "../../usage/amounts.js";
import { costButton } from "../../usage/cost_dialog.js";
import { explainSum } from "../../usage/cost_question.js";
import { zoneName } from "../../usage/periods.js";
import { chosenPeriod, DIMENSIONS, filterChips, FILTERS, filtersOf, periodChoice,
  scopeText, shownNames } from "../../usage/selection.js";
import { refreshOn } from "../../shell/live_refresh.js";
import { columnsOf, latencyLines, tableOf } from "../../usage/series.js";
import { failureTile, groupTile, heatTile } from "./breakdown.js";
import { collectorLine } from "./collector.js";

/** @import { CollectionAnswer, FailuresAnswer, SeriesAnswer, SummaryAnswer } from "../../../_generated_types.js" */
/** @import { PageContext } from "../../shell/context.js" */
/** @import { Dimension } from "../../usage/selection.js" */
/** @typedef {(sum: SummaryAnswer["totals"], group: Record<string, string>, subject: string) => unknown} Explain */
/**
 * What the last reading answered, and what it was asked for.
 *
 * @typedef {object} UsageRead
 * @property {Dimension} by
 * @property {{start: number, end: number} & Record<string, string | number>} scope
 * @property {SummaryAnswer} summary
 * @property {SeriesAnswer} series
 * @property {FailuresAnswer} failures
 * @property {CollectionAnswer} collection
 * @property {(name: string, label?: string) => string} shown
 */

const PLOT = { height: 190 };
const LIMIT = 50;
const MEASURES = /** @type {const} */ (["requests", "tokens", "usd", "failed"]);

const DAY_MS = 24 * 3_600_000;
/** Days up to which a chart shows hours; a longer one shows days, which are read at a tenth of the cost. */
const SHORT = 8;
const MOST_POINTS = 200;

/**
 * Most points of a chart: of days, those of the period and three that begin or end within one.
 *
 * @param {{start: number, end: number}} period
 */
function pointsOf({ start, end }) {
  const days = Math.ceil((end - start) / DAY_MS);
  return days > SHORT ? Math.min(days + 3, MOST_POINTS) : MOST_POINTS;
}

/** @param {Pick<SummaryAnswer, "gaps">} summary */
function gapHint({ gaps }) {
  const unrecorded = gaps.reduce((sum, { kind, missing }) => sum + (kind === "unrecorded" ? missing ?? 0 : 0), 0);
  const hints = [
    ...(gaps.length ? [text("usage.gaps", { n: gaps.length })] : []),
    ...(unrecorded ? [text("usage.unrecorded", { n: unrecorded })] : []),
  ];
  return hints.map((hint) => element("p", { class: "hint", text: hint }));
}

/**
 * Mount the page of usage.
 *
 * @type {import("../../shell/router.js").Mount}
 */
export async function mount(root, context) {
  const page = new UsagePage(root, context);
  await page.refresh();
  return () => page.leave();
}

/** Usage of a period: its sums, series, groups and failures. */
class UsagePage {
  #left = false;
  #asked = 0;
  /** @type {UsageRead | null} */ #read = null;

  /**
   * @param {HTMLElement} root
   * @param {PageContext} context
   */
  constructor(root, context) {
    this.context = context;
    this.root = root;
    this.head = element("div", { class: "panel filters" });
    this.printed = element("p", { class: "only-printed" });
    this.body = element("div", { class: "tiles", attributes: { "aria-live": "off" } });
    root.append(element("h1", { text: text("pages.usage"), attributes: { tabindex: -1 } }), this.head, this.printed,
      this.body);
    context.query.addEventListener("change", () => this.refresh());
    this.stop = refreshOn(context.live, ["alias", "price", "reload"], this.body, () => this.refresh());
  }

  leave() {
    this.#left = true;
    this.stop();
  }

  /** @returns {Dimension} */
  get by() {
    return DIMENSIONS.find((each) => each === this.context.query.get("by")) ?? "model";
  }

  get measure() {
    return MEASURES.find((each) => each === this.context.query.get("measure")) ?? "requests";
  }

  async refresh() {
    const { client, notices, query } = this.context;
    this.#asked += 1;
    const asked = this.#asked;
    this.#showControls();
    const { by } = this;
    const scope = { ...chosenPeriod(query, Date.now()), ...filtersOf(query) };
    const zone = zoneName();
    try {
      const [summary, series, failures, collection, { aliases }] = await Promise.all([
        client.get("../usage/summary", { ...scope, zone, by, limit: LIMIT }),
        client.get("../usage/series", { ...scope, zone, by, points: pointsOf(scope) }),
        client.get("../usage/failures", scope),
        client.get("../usage/collection"),
        client.get("../api-key-aliases"),
      ]);
      if (this.#left || asked !== this.#asked) return;
      notices.clear("usage");
      const names = new Map(aliases.map(({ fingerprint, alias }) => [fingerprint, alias]));
      this.#read = { by, scope, summary, series, failures, collection, shown: shownNames(by, names) };
      this.#show(this.#read);
    } catch (problem) {
      if (!this.#left && !isSignedOut(problem)) notices.showProblem("usage", problem);
    }
  }

  /** @param {UsageRead} read */
  #show({ by, scope, summary, series, failures, collection, shown }) {
    const collector = collectorLine(collection, this.context, () => this.refresh());
    if (!summary.totals.requests) {
      this.body.replaceChildren(element("section", { class: "panel wide",
        attributes: { "aria-label": text("pages.usage") } },
        collector, element("p", { text: text("usage.empty") }), ...gapHint(summary)));
      return;
    }
    const selection = this.#selection();
    const isPartial = summary.gaps.length > 0;
    /** @type {Explain} */
    const explain = (sum, group, subject) =>
      explainSum(this.context, this.root, { ...scope, ...group }, { subject, sum, isPartial });
    this.body.replaceChildren(
      this.#sums(summary, collector, explain),
      this.#series(series, by, shown),
      this.#latency(series),
      heatTile(summary, scope),
      ...(by === "none" ? [] : [groupTile(summary, by, this.measure, selection, shown,
        (figures, name, said) => explain(figures, { [by]: name }, said))]),
      failureTile(failures, selection, isPartial),
    );
  }

  /** Query that leads to the same requests on another page. */
  #selection() {
    const { query } = this.context;
    const names = ["period", "start", "end", "failed", ...FILTERS];
    return Object.fromEntries(names.flatMap((name) => (query.get(name) ? [[name, query.get(name)]] : [])));
  }

  #showControls() {
    const { query } = this.context;
    const changed = () => this.refresh();
    /** @param {string} name */
    const set = (name) => (/** @type {string} */ value) => {
      query.set({ [name]: value }, { push: true });
      if (name === "measure" && this.#read) this.#show(this.#read);
      else this.refresh();
    };
    const scope = { ...chosenPeriod(query, Date.now()), ...filtersOf(query) };
    const download = (/** @type {"csv" | "jsonl"} */ format) => downloadControl(
      this.context, text(`usage.export_${format}`), "../usage/export", { ...scope, format });
    this.printed.textContent = scopeText(query, Date.now());
    refillAround(this.head, [
      periodChoice(query, changed),
      choice("by", text("usage.by"), DIMENSIONS.map((name) => [name, text(`usage_by.${name}`)]), this.by, set("by")),
      choice("measure", text("usage.measure"), MEASURES.map((name) => [name, text(`usage_measure.${name}`)]),
        this.measure, set("measure")),
      element("p", { class: "buttons" }, download("csv"), download("jsonl")),
      filterChips(query, changed),
    ]);
  }

  /**
   * @param {SummaryAnswer} summary
   * @param {Node} collector
   * @param {Explain} explain
   */
  #sums({ totals, gaps }, collector, explain) {
    const isPartial = gaps.length > 0;
    return element("section", { class: "panel wide", attributes: { "aria-label": text("usage.sums") } }, factList([
      { name: text("usage.requests"), value: leastCount(totals.requests, isPartial), href: pageAddress("requests",
        this.#selection()) },
      { name: text("usage.failed"), value: leastCount(totals.failed, isPartial), href: pageAddress("requests",
        { ...this.#selection(), failed: "true" }) },
      { name: text("usage.tokens"), value: leastShort(totals.tokens.total, isPartial) },
      { name: text("usage.cost"),
        value: costButton(totals, () => explain(totals, {}, text("usage.all_requests")), isPartial),
        note: totals.unpriced ? text("usage.unpriced", { n: totals.unpriced }) : "" },
      { name: text("usage.latency"), value: `${formatMs(totals.latency?.p50)} / ${formatMs(totals.latency?.p95)}`,
        note: "p50 / p95" },
    ]), collector, ...gapHint({ gaps }));
  }

  /**
   * @param {SeriesAnswer} series
   * @param {Dimension} by
   * @param {(name: string, label?: string) => string} shown
   */
  #series(series, by, shown) {
    const title = text(`usage_measure.${this.measure}`);
    const picture = columnsOf(series, this.measure, (start, end) => this.#at(start, end), shown);
    const frame = new Picture(text("usage.over_time", { measure: title }));
    const hrefs = series.groups.map(({ name }) => pageAddress("requests", { ...this.#selection(), [by]: name }));
    frame.show({
      draw: (width) => drawColumns(picture, { width, ...PLOT }),
      legend: picture.series.filter(({ name }) => name).map((each, index) => ({ ...each, href: hrefs[index] })),
      table: tableOf(picture, title),
    });
    return element("section", { class: "panel wide", attributes: { "aria-label": frame.title } }, frame.node);
  }

  /** @param {SeriesAnswer} series */
  #latency(series) {
    const picture = latencyLines(series, (start, end) => this.#at(start, end));
    const frame = new Picture(text("usage.latency_over_time"));
    frame.show({
      draw: (width) => drawLines(picture, { width, ...PLOT }),
      legend: picture.series,
      table: tableOf(picture, ""),
    });
    return element("section", { class: "panel wide", attributes: { "aria-label": frame.title } }, frame.node);
  }

  /**
   * @param {number} start
   * @param {number} end
   */
  #at(start, end) {
    return pageAddress("requests", { ...this.#selection(), period: "", start, end });
  }
}

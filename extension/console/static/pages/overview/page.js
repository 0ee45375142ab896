import { Latest } from "../../connection/latest.js";
import { isSignedOut } from "../../connection/problem.js";
import { arrange, element } from "../../dom.js";
import { text } from "../../language/catalogue.js";
import { actsOnce } from "../../layout/once.js";
import { factList, pageAddress, tile } from "../../layout/tile.js";
import { refreshOn } from "../../shell/live_refresh.js";
import { drawColumns } from "../../pictures/columns.js";
import { Picture } from "../../pictures/picture.js";
import { costOf, leastCount, leastShort } from "../../usage/amounts.js";
import { explainSum } from "../../usage/cost_question.js";
import { periodOf, zoneName } from "../../usage/periods.js";
import { columnsOf, tableOf } from "../../usage/series.js";
import { lastLook, storeLook } from "./last_look.js";
import { Sections } from "./sections.js";

/** @import { SeriesAnswer, SummaryAnswer } from "../../../_generated_types.js" */
/** @import { PageContext } from "../../shell/context.js" */
/** @import { Known } from "./sections.js" */

const SETTLE_MS = 1_000;
/** Time in which answers are shown together; a gateway that takes longer holds up only what needs it. */
const PATIENCE_MS = 400;
const RUNS_SHOWN = 60;
const PLOT = { height: 150 };

/**
 * Mount the overview.
 *
 * @type {import("../../shell/router.js").Mount}
 */
export async function mount(root, context) {
  const since = lastLook(Date.now());
  const place = element("div", { class: "tiles" });
  root.append(element("h1", { text: text("pages.overview"), attributes: { tabindex: -1 } }), place);
  let left = false;
  let mostKnown = 0;
  const latest = new Latest();
  /** @param {(nodes: HTMLElement[]) => void} [onPart] called with what is known before the whole */
  const refresh = async (onPart) => {
    const ticket = latest.begin();
    const { nodes, count, problem } = await read(context, since, root, onPart);
    // A reading that failed may end after the one that was begun because of it.
    if (left || !latest.counts(ticket)) return;
    // What stands there stays when a part of it cannot be read again.
    if (!problem || count > mostKnown || !place.childElementCount) {
      arrange(place, nodes);
      mostKnown = count;
    }
    if (!problem) context.notices.clear("overview");
    else if (!isSignedOut(problem)) context.notices.showProblem("overview", problem);
  };
  const stop = refreshOn(
    context.live, ["run.state", "action", "pool", "schedule", "price", "reload"], place, () => refresh(), SETTLE_MS);
  await new Promise((shown) => {
    refresh((nodes) => {
      if (!left) arrange(place, nodes);
      shown(undefined);
    }).finally(() => shown(undefined));
  });
  return () => {
    left = true;
    stop();
    storeLook(Date.now());
  };
}

/**
 * Read what the sections show. Where an answer takes its time, they are built of those that are there.
 *
 * @param {PageContext} context
 * @param {number} since
 * @param {HTMLElement} root of the page
 * @param {(nodes: HTMLElement[]) => void} [onPart]
 */
async function read(context, since, root, onPart) {
  const { client } = context;
  const period = periodOf("today", Date.now());
  const zone = zoneName();
  const sections = new Sections(context, (summary, series) => usageTile(summary, series, (isPartial) => explainSum(
    context, root, period, { subject: text("usage_period.today"), sum: summary.totals, isPartial })));
  /** @type {Known} */
  const known = {};
  let isShownInParts = false;
  /** @type {<T extends keyof Known>(name: T, answer: Promise<Known[T]>) => Promise<void>} */
  const keep = async (name, answer) => {
    known[name] = await answer;
    if (isShownInParts) onPart?.(sections.of(known, false));
  };
  const all = Promise.allSettled([
    keep("pool", client.get("pool/overview", { since })), keep("automation", client.get("config/automation")),
    keep("collection", client.get("../usage/collection")),
    keep("summary", client.get("../usage/summary", { ...period, zone })),
    keep("series", client.get("../usage/series", { ...period, zone, points: 130 })),
  ]);
  const late = new Promise((resolve) => { setTimeout(resolve, PATIENCE_MS, "late"); });
  if (onPart && await Promise.race([all, late]) === "late") {
    isShownInParts = true;
    onPart(sections.of(known, false));
    if (!known.pool) keep("runs", endedRuns(client)).catch(() => {});
  }
  const settled = await all;
  const problem = settled.find((part) => part.status === "rejected")?.reason;
  if (!known.pool && !known.runs) await keep("runs", endedRuns(client)).catch(() => {});
  isShownInParts = false;
  return { nodes: sections.of(known, true), count: Object.keys(known).length, problem };
}

/**
 * Read the last runs, which the service knows without the gateway.
 *
 * @param {PageContext["client"]} client
 */
async function endedRuns(client) {
  const { runs } = await client.get("inspections", { limit: RUNS_SHOWN });
  return runs.filter(({ state }) => state === "finished").reverse()
    .map((run) => ({ ...run, run: run.id, source: run.accountSource, statuses: run.verdicts }));
}

/**
 * @param {SummaryAnswer} summary
 * @param {SeriesAnswer} series
 * @param {(isPartial: boolean) => unknown} explain
 */
function usageTile({ totals, gaps }, series, explain) {
  const title = text("overview.usage");
  const yesterday = element("p", {}, element("a", {
    text: text("overview.yesterday"),
    attributes: { href: pageAddress("usage", { period: "yesterday", by: "client", measure: "usd" }) },
  }));
  if (!totals.requests) {
    return tile(title, {}, element("p", {}, element("a", {
      text: text("overview.no_usage"), attributes: { href: "usage" },
    })), yesterday);
  }
  const isPartial = gaps.length > 0;
  const facts = factList([
    { name: text("usage.requests"), value: leastCount(totals.requests, isPartial), href: "requests?period=today" },
    { name: text("usage.failed"), value: leastCount(totals.failed, isPartial),
      href: "requests?period=today&failed=true" },
    { name: text("usage.tokens"), value: leastShort(totals.tokens.total, isPartial),
      href: "usage?period=today&measure=tokens" },
    { name: text("usage.cost"), value: costOf(totals, isPartial), href: "usage?period=today&measure=usd",
      note: actsOnce(element("button", {
        class: "link", text: text("requests.why"), attributes: { type: "button" },
      }), () => explain(isPartial)) },
  ]);
  const picture = columnsOf(
    series, "requests", (start, end) => pageAddress("requests", { start, end }), (name) => name);
  const frame = new Picture(text("overview.requests_today"), 3);
  frame.show({
    draw: (width) => drawColumns(picture, { width, ...PLOT }), table: tableOf(picture, text("usage.requests")),
  });
  return tile(title, { wide: true }, facts, yesterday, frame.node);
}

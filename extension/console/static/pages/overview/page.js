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
import { attentionTile, automationTile, blindTile } from "./findings.js";
import { healthTile, hostTile, trendTile } from "./health.js";
import { hasLooked, lastLook, storeLook } from "./last_look.js";

/** @import { SeriesAnswer, SummaryAnswer } from "../../../_generated_types.js" */
/** @import { PageContext } from "../../shell/context.js" */

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
  /** @param {(nodes: HTMLElement[]) => void} [onPart] called with what is known before the whole */
  const refresh = async (onPart) => {
    const { nodes, problem } = await read(context, since, root, onPart);
    if (left) return;
    // What stands there stays when a part of it cannot be read again.
    if (!problem || nodes.length > place.childElementCount) arrange(place, nodes);
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
 * Build the sections, of which those of the usage and those of the pool stand by themselves.
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
  const pool = Promise.all([client.get("pool/overview", { since }), client.get("config/automation")]);
  const usage = Promise.all([
    client.get("../usage/collection"), client.get("../usage/summary", { ...period, zone }),
    client.get("../usage/series", { ...period, zone, points: 130 }),
  ]);
  const used = usage.then(([, summary, series]) => usageTile(summary, series, (isPartial) => explainSum(
    context, root, period, { subject: text("usage_period.today"), sum: summary.totals, isPartial })));
  const all = Promise.allSettled([pool, usage, used]);
  const late = new Promise((resolve) => { setTimeout(resolve, PATIENCE_MS, "late"); });
  if (onPart && await Promise.race([all, late]) === "late") {
    let isWhole = false;
    all.then(() => { isWhole = true; });
    withoutPool(context, used).then((nodes) => { if (!isWhole) onPart(nodes); });
  }
  const [ofPool, ofUsage, tileOfUsage] = await all;
  const refused = [ofPool, ofUsage].find((part) => part.status === "rejected")?.reason;
  if (ofPool.status === "rejected") return { nodes: await withoutPool(context, used), problem: refused };
  const [answer, automation] = ofPool.value;
  const [collection, summary] = ofUsage.status === "fulfilled" ? ofUsage.value : [];
  const nodes = [
    healthTile(answer, context), attentionTile(answer, context),
    automationTile(answer, automation, context, hasLooked()),
    collection && summary && blindTile(answer, collection, summary.gaps, context),
    tileOfUsage.status === "fulfilled" && tileOfUsage.value,
    trendTile(answer, context), hostTile(answer, context),
  ];
  return { nodes: nodes.filter((node) => node instanceof HTMLElement), problem: refused };
}

/**
 * Build the sections that the service knows without the gateway, and one that says what is waited for.
 *
 * @param {PageContext} context
 * @param {Promise<HTMLElement>} used
 */
async function withoutPool(context, used) {
  const [tileOfUsage, runs] = await Promise.all([
    used.catch(() => null), context.client.get("inspections", { limit: RUNS_SHOWN }).catch(() => null)]);
  const ended = (runs?.runs ?? []).filter(({ state }) => state === "finished").reverse()
    .map((run) => ({ ...run, run: run.id, source: run.accountSource, statuses: run.verdicts }));
  return [
    tile(text("overview.health"), { wide: true },
      element("p", { text: text("overview.waiting"), attributes: { role: "status" } })),
    ...(tileOfUsage ? [tileOfUsage] : []), ...(ended.length ? [trendTile({ runs: ended }, context)] : []),
  ];
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

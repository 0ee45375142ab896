/** Usage of today in words. Pure. */

import type { CollectionAnswer, SeriesAnswer, SummaryAnswer } from "../../connection/api.js";
import { text } from "../../language/catalogue.js";
import { formatPercent } from "../../language/formats.js";
import { changeText, leastCount } from "../../usage/amounts.js";

/** Usage of today, with that of yesterday up to the same time. */
export interface Traffic {
  summary: SummaryAnswer;
  before: SummaryAnswer;
  series: SeriesAnswer;
  collection: CollectionAnswer;
}

/** Return what stands beside the requests and the cost: the change, where both days are whole, and what is missing. */
export function trafficNotes(traffic: Pick<Traffic, "summary" | "before"> | null): { requests: string; cost: string } {
  if (!traffic) return { requests: "", cost: "" };
  const { summary, before } = traffic;
  const { requests, failed, usd, unpriced } = summary.totals;
  const isLeast = summary.gaps.length > 0;
  const against = (now: number, then: number) => {
    const change = isLeast || before.gaps.length ? "" : changeText(now, then);
    return change && text("overview.against_yesterday", { change });
  };
  const percent = formatPercent(requests ? (100 * failed) / requests : 0);
  const failedText = text("overview.failed_share", { failed: leastCount(failed, isLeast), percent });
  const unpricedText = unpriced ? text("usage.unpriced", { n: unpriced }) : "";
  return {
    requests: joined(against(requests, before.totals.requests), failedText),
    cost: joined(against(Number(usd), Number(before.totals.usd)), unpricedText),
  };
}

function joined(...notes: string[]): string {
  return notes.filter(Boolean).join(" · ");
}

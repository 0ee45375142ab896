import type { CollectionAnswer, FailuresAnswer, SeriesAnswer, SummaryAnswer } from "../../connection/api.js";
import type { Client } from "../../connection/client.js";
import { DAY, periodBefore, zoneName, type Period, type PeriodName } from "../../usage/periods.js";
import type { Dimension } from "../../usage/selection.js";

const LIMIT = 50;
/** Days up to which a chart shows hours; a longer one shows days, which are read at a tenth of the cost. */
const SHORT = 8;
const MOST_POINTS = 200;

/** What the page reads of a period. */
export interface Usage {
  by: Dimension;
  period: Period;
  filters: Record<string, string>;
  summary: SummaryAnswer;
  before: SummaryAnswer;
  series: SeriesAnswer;
  failures: FailuresAnswer;
  collection: CollectionAnswer;
  /** Names of client keys by fingerprint. */
  aliases: ReadonlyMap<string, string>;
}

export interface UsageQuestion {
  by: Dimension;
  name: PeriodName | null;
  period: Period;
  filters: Record<string, string>;
}

export async function readUsage(client: Client, { by, name, period, filters }: UsageQuestion): Promise<Usage> {
  const scope = { ...period, ...filters };
  const zone = zoneName();
  const [summary, series, failures, before, collection, { aliases }] = await Promise.all([
    client.get("../usage/summary", { ...scope, zone, by, limit: LIMIT }),
    client.get("../usage/series", { ...scope, zone, by, points: pointsOf(period) }),
    client.get("../usage/failures", scope),
    client.get("../usage/summary", { ...periodBefore(name, period), ...filters, zone, by, limit: 1 }),
    client.get("../usage/collection"),
    client.get("../api-key-aliases"),
  ]);
  const names = new Map(aliases.map(({ fingerprint, alias }) => [fingerprint, alias]));
  return { by, period, filters, summary, before, series, failures, collection, aliases: names };
}

/** Return the most points of a chart: of days, those of the period and three that begin or end within one. */
function pointsOf({ start, end }: Period): number {
  const days = Math.ceil((end - start) / DAY);
  return days > SHORT ? Math.min(days + 3, MOST_POINTS) : MOST_POINTS;
}

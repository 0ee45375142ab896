import type { OverviewAnswer } from "../../connection/api.js";
import { accountsAddress } from "../../accounts/address.js";
import { text } from "../../language/catalogue.js";
import { formatCount, UNKNOWN } from "../../language/formats.js";
import { Sparkline } from "../../parts/sparkline.js";
import { Tile } from "../../parts/tile.js";
import { pageAddress } from "../../shell/pages.js";
import { costOf, leastCount } from "../../usage/amounts.js";
import { accountCount, changeSince, toneCounts, trendOf } from "./model.js";
import { trafficNotes, type Traffic } from "./traffic.js";

/** Healthy accounts, those that need somebody, requests and spend, each with its trend. */
export function Tiles({ pool, traffic }: { pool: OverviewAnswer | null; traffic: Traffic | null }) {
  return (
    <section class="columns" aria-label={text("overview.figures")}>
      <PoolTiles pool={pool} />
      <TrafficTiles traffic={traffic} />
    </section>
  );
}

function PoolTiles({ pool }: { pool: OverviewAnswer | null }) {
  const points = pool ? trendOf(pool.runs) : [];
  const counts = toneCounts(...Object.values(pool?.statuses ?? {}));
  // A disabled account needs nobody any more.
  const { dead, you } = toneCounts(...Object.values(pool?.findings ?? {}).map(({ enabled }) => enabled));
  const healthyNote = pool && [
    text("overview.of_accounts", { n: accountCount(pool) }),
    changeSince(points, pool.since),
  ];
  return (
    <>
      <Tile
        label={text("overview.healthy")}
        href={accountsAddress({ verdict: "healthy" })}
        value={pool ? formatCount(counts.good) : UNKNOWN}
        note={healthyNote ? healthyNote.filter(Boolean).join(" · ") : text("overview.waiting")}
      >
        <Sparkline values={points.map(({ healthy }) => healthy)} color="good" />
      </Tile>
      <Tile
        label={text("overview.need_action")}
        href={accountsAddress({ tone: "dead,you", state: "enabled" })}
        value={pool ? formatCount(dead + you) : UNKNOWN}
        note={pool && text("overview.dead_and_you", { dead, you })}
      />
    </>
  );
}

function TrafficTiles({ traffic }: { traffic: Traffic | null }) {
  const { requests, cost } = trafficNotes(traffic);
  const isLeast = Boolean(traffic?.summary.gaps.length);
  const totals = traffic?.summary.totals;
  return (
    <>
      <Tile
        label={text("overview.requests_today")}
        href={pageAddress("requests", { period: "today" })}
        value={totals ? leastCount(totals.requests, isLeast) : UNKNOWN}
        note={requests}
      >
        <Sparkline values={traffic?.series.totals.requests ?? []} color="c1" />
      </Tile>
      <Tile
        label={text("overview.cost_today")}
        href={pageAddress("usage", { period: "today" })}
        value={totals ? costOf(totals, isLeast) : UNKNOWN}
        note={
          <>
            {cost}{" "}
            <a class="link" href={pageAddress("usage", { period: "yesterday", by: "client", measure: "usd" })}>
              {text("overview.yesterday")}
            </a>
          </>
        }
      >
        <Sparkline values={(traffic?.series.totals.usd ?? []).map(Number)} color="c2" />
      </Tile>
    </>
  );
}

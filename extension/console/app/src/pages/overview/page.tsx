import { text } from "../../language/catalogue.js";
import { accountsAddress } from "../../accounts/address.js";
import { Head } from "../../shell/head.js";
import { useReading } from "../../shell/reading.js";
import { periodBefore, periodOf, zoneName } from "../../usage/periods.js";
import { AttentionCard } from "./attention_card.js";
import { AutomationCard } from "./automation_card.js";
import { CoverageCard } from "./coverage_card.js";
import { HostCard } from "./host_card.js";
import { Tiles } from "./tiles.js";
import { TrafficCard } from "./traffic_card.js";

const DAY = 24 * 3_600_000;
const POINTS = 100;

/** The pool at a glance. Each part is read by itself: a gateway that takes its time holds up only what needs it. */
export default function OverviewPage() {
  const pool = useReading((client) => client.get("pool/overview", { since: Date.now() - DAY }), {
    on: ["run.state", "action", "pool", "schedule"],
  });
  const traffic = useReading(
    async (client) => {
      const period = periodOf("today", Date.now());
      const zone = zoneName();
      const [summary, before, series, collection] = await Promise.all([
        client.get("../usage/summary", { ...period, zone }),
        client.get("../usage/summary", { ...periodBefore("today", period), zone }),
        client.get("../usage/series", { ...period, zone, points: POINTS }),
        client.get("../usage/collection"),
      ]);
      return { summary, before, series, collection };
    },
    { on: ["price"] },
  );
  return (
    <>
      <Head title={text("pages.overview")}>
        <span class="grow" />
        <a class="button primary" href={accountsAddress({ check: "true" })}>
          {text("overview.check_now")}
        </a>
      </Head>
      <div class="body">
        <Tiles pool={pool.value.value} traffic={traffic.value.value} />
        <div class="columns two">
          <AttentionCard reading={pool} />
          <AutomationCard />
        </div>
        <div class="columns two">
          <TrafficCard reading={traffic} />
          <HostCard reading={pool} />
        </div>
        <CoverageCard pool={pool} traffic={traffic.value.value} />
      </div>
    </>
  );
}

import { text } from "../../language/catalogue.js";
import { Button } from "../../parts/button.js";
import { colorsOf } from "../../parts/color_book.js";
import { Content } from "../../parts/content.js";
import { DownloadMenu } from "../../parts/download_menu.js";
import { EmptyText } from "../../parts/empty_text.js";
import { Tile } from "../../parts/tile.js";
import { Head } from "../../shell/head.js";
import { useReading } from "../../shell/reading.js";
import { useServices } from "../../shell/services.js";
import { boundTexts } from "../../usage/amounts.js";
import { CostDrawer } from "../../usage/cost_drawer.js";
import { FilterChips } from "../../usage/filter_chips.js";
import { PeriodChoice } from "../../usage/period_choice.js";
import type { PeriodName } from "../../usage/periods.js";
import {
  chosenPeriod,
  DIMENSIONS,
  filterOf,
  filtersOf,
  nameOfPeriod,
  scopeText,
  shownNames,
} from "../../usage/selection.js";
import { MOST_GROUPS } from "../../usage/series.js";
import { ChartCard } from "./chart_card.js";
import { FailureCard } from "./failure_card.js";
import { HeatCard } from "./heat_card.js";
import { collectionState, isLowerBound, measureOf, tilesOf } from "./model.js";
import { RankCard } from "./rank_card.js";
import { readUsage, type Usage } from "./read_usage.js";

const PERIOD_NAMES: PeriodName[] = ["24h", "today", "yesterday", "7d", "30d"];
const FORMATS = ["csv", "jsonl"] as const;
/** Value of `explain` for the sum of all requests; a group is `=` and its name, which may be empty. */
const ALL = "all";

/**
 * Usage of a period: sums, series and ranks of a dimension, and causes of failures. The address holds `period` or `start`
 * and `end`, the filters, `by`, `measure`, and `explain` for the sum whose cost is explained.
 */
export default function UsagePage() {
  const { router } = useServices();
  const get = (name: string) => router.get(name);
  const filters = filtersOf(get);
  const by = DIMENSIONS.find((name) => name === get("by")) ?? "client";
  const key = JSON.stringify([get("period"), get("start"), get("end"), filters, by]);
  const question = () => ({ by, name: nameOfPeriod(get), period: chosenPeriod(get, Date.now()), filters });
  const reading = useReading((client) => readUsage(client, question()), { key, on: ["alias", "price"] });
  const usage = reading.value.value;
  const formats = FORMATS.map((format) => ({ format, label: text(`usage.export_${format}`) }));
  return (
    <>
      <Head title={text("pages.usage")}>
        <span class="grow" />
        <PeriodChoice periods={PERIOD_NAMES} />
        <DownloadMenu
          path="../usage/export"
          query={{ ...chosenPeriod(get, Date.now()), ...filters }}
          formats={formats}
        />
      </Head>
      <div class="body">
        <p class="only-printed">{scopeText(get, Date.now())}</p>
        {Object.keys(filters).length > 0 && (
          <div class="chips">
            <FilterChips shownOf={(name, value) => shownNames(name, usage?.aliases ?? new Map())(value)} />
          </div>
        )}
        <Content reading={reading}>{(value) => <UsageView usage={value} refresh={reading.refresh} />}</Content>
      </div>
      {usage && get("explain") && <Explanation usage={usage} written={get("explain")} />}
    </>
  );
}

function UsageView({ usage, refresh }: { usage: Usage; refresh: () => Promise<void> }) {
  const { router } = useServices();
  const { summary, series, by, filters } = usage;
  const measure = measureOf(router.get("measure"), usage);
  const shown = shownNames(by, usage.aliases);
  const named = series.groups.slice(0, MOST_GROUPS).map(({ name }) => name);
  const colors = colorsOf(named);
  const bounds = boundTexts(summary, by, filters);
  if (!summary.totals.requests) {
    return (
      <>
        <Collection usage={usage} refresh={refresh} />
        <section class="card" aria-label={text("pages.usage")}>
          <EmptyText title={text("usage.empty")} hint={bounds.join(" ")} />
        </section>
      </>
    );
  }
  return (
    <>
      <section class="columns" aria-label={text("usage.sums")}>
        {tilesOf(usage).map((tile) => (
          <Tile
            key={tile.measure}
            label={text(`usage_tile.${tile.measure}`)}
            value={tile.value}
            href={router.addressWith({ measure: tile.measure })}
            note={
              <>
                {tile.notes.join(" · ")}
                {tile.measure === "usd" && (
                  <a
                    class="link why"
                    href={router.addressWith({ explain: ALL })}
                    aria-label={text("requests.why_of", { cost: tile.value })}
                  >
                    {text("usage.why")}
                  </a>
                )}
              </>
            }
          />
        ))}
      </section>
      {bounds.length > 0 && <p class="quiet">{[text("usage.lower_bound"), ...bounds].join(" ")}</p>}
      <div class="columns two">
        <ChartCard usage={usage} measure={measure} shown={shown} colors={colors} />
        <RankCard
          usage={usage}
          measure={measure}
          shown={shown}
          colors={colors}
          explainHref={(name) => router.addressWith({ explain: `=${name}` })}
        />
      </div>
      <FailureCard usage={usage} />
      <HeatCard heat={summary.heat} />
      <Collection usage={usage} refresh={refresh} />
    </>
  );
}

/** State of the collection of usage, and the switch of the gateway's recording. */
function Collection({ usage, refresh }: { usage: Usage; refresh: () => Promise<void> }) {
  const { client, notices } = useServices();
  const { words, isTrouble, canRecord } = collectionState(usage.collection);
  const record = () =>
    notices.attempt("usage", async () => {
      await client.post("../usage/collection", { recording: true });
      await refresh();
    });
  return (
    <div class={isTrouble ? "notice" : "quiet"} data-level={isTrouble ? "warning" : undefined}>
      <p class="grow">{words}</p>
      {canRecord && <Button onPress={record}>{text("usage.record")}</Button>}
    </div>
  );
}

function Explanation({ usage, written }: { usage: Usage; written: string }) {
  const { router } = useServices();
  const { by, period, filters, summary, aliases } = usage;
  const group = written === ALL ? null : summary.groups.find(({ name }) => written === `=${name}`);
  if (group === undefined) return null;
  const subject = group ? shownNames(by, aliases)(group.name, group.label) : text("usage.all_requests");
  return (
    <CostDrawer
      key={written}
      subject={subject}
      sum={group?.figures ?? summary.totals}
      isPartial={isLowerBound(usage)}
      scope={{ ...period, ...filters, ...(group ? filterOf(by, group.name) : {}) }}
      onClose={() => router.set({ explain: "" }, { push: true })}
    />
  );
}

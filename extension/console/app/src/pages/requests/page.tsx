import { useSignal } from "@preact/signals";
import { text } from "../../language/catalogue.js";
import { Content } from "../../parts/content.js";
import { DownloadMenu } from "../../parts/download_menu.js";
import { Head, HeadSearch } from "../../shell/head.js";
import { useReading } from "../../shell/reading.js";
import { useServices } from "../../shell/services.js";
import { PeriodChoice } from "../../usage/period_choice.js";
import type { PeriodName } from "../../usage/periods.js";
import { chosenPeriod, filtersOf, scopeText } from "../../usage/selection.js";
import { RequestDrawer } from "./drawer.js";
import { Filters } from "./filters.js";
import { Histogram } from "./histogram.js";
import { parseId, withNew } from "./model.js";
import { readNames, readRequests } from "./read_requests.js";
import { RequestTable } from "./table.js";
import { useLive } from "./use_live.js";

const PERIOD_NAMES: PeriodName[] = ["15m", "1h", "24h", "7d", "30d"];
const FORMATS = ["csv", "jsonl"] as const;
const FIRST = 200;
/** Most requests that are listed, and searched. */
const MOST = 1_000;

/**
 * Requests of a period, the newest first. The address holds `period` or `start` and `end`, the filters, `search`, `live`,
 * and `request`, the id of the one in the drawer.
 */
export default function RequestsPage() {
  const { router } = useServices();
  const get = (name: string) => router.get(name);
  const limit = useSignal(FIRST);
  const filters = filtersOf(get);
  const search = get("search").slice(0, 200);
  const most = search ? MOST : limit.value;
  const isLive = get("live") === "true";
  const period = () => chosenPeriod(get, Date.now());
  const periodKey = [get("period"), get("start"), get("end")].join();
  const key = JSON.stringify([periodKey, filters]);
  const names = useReading((client) => readNames(client, period()), { key: periodKey, on: ["alias"] });
  const reading = useReading((client) => readRequests(client, period(), filters, most), {
    key: key + most + isLive,
    on: ["alias", "price"],
  });
  const events = reading.value.value?.answer.events ?? null;
  const { arrived, isLost } = useLive({ isOn: isLive, key, rows: events, start: period().start, filters });
  const showMost = () => {
    limit.value = MOST;
  };
  const place = parseId(get("request"));
  const formats = FORMATS.map((format) => ({ format, label: text(`usage.export_${format}`) }));
  return (
    <>
      <Head title={text("pages.requests")}>
        <HeadSearch
          label={text("requests.search")}
          value={search}
          onSearch={(words) => router.set({ search: words })}
        />
        <span class="grow" />
        <PeriodChoice periods={PERIOD_NAMES} />
        <button
          type="button"
          class="button live-button"
          aria-pressed={isLive}
          onClick={() => router.set({ live: isLive ? "" : "true" })}
        >
          <span class="dot" data-tone={isLive ? (isLost.value ? "wait" : "good") : "unknown"} />
          {text("requests.live")}
        </button>
        <DownloadMenu path="../usage/export" query={{ ...period(), ...filters }} formats={formats} />
      </Head>
      <div class="body">
        <p class="only-printed">{scopeText(get, Date.now())}</p>
        <section class="card" aria-label={text("pages.requests")}>
          <Content reading={reading}>
            {(value) => (
              <>
                <Histogram requests={value} />
                <Filters requests={value} names={names.value.value} />
                <RequestTable
                  requests={value}
                  rows={isLive ? withNew(value.answer.events, arrived.value) : value.answer.events}
                  names={names.value.value}
                  liveText={isLive ? text(isLost.value ? "requests.live_lost" : "requests.live_on") : ""}
                  search={search}
                  more={value.answer.next && most < MOST ? showMost : null}
                />
              </>
            )}
          </Content>
        </section>
      </div>
      {place && (
        <RequestDrawer
          key={get("request")}
          place={place}
          names={names.value.value}
          onClose={() => router.set({ request: "" }, { push: true })}
        />
      )}
    </>
  );
}

import { GitCompareArrows } from "lucide";
import { useSignal } from "@preact/signals";
import type { RunView } from "../../connection/api.js";
import { text } from "../../language/catalogue.js";
import { Button } from "../../parts/button.js";
import { Content } from "../../parts/content.js";
import { EmptyText } from "../../parts/empty_text.js";
import { Segmented } from "../../parts/segmented.js";
import { DataTable } from "../../parts/table/data_table.js";
import type { Selection } from "../../parts/table/selection.js";
import { SOURCES } from "../../run_settings/fields.js";
import { Head } from "../../shell/head.js";
import { useReading } from "../../shell/reading.js";
import { useServices } from "../../shell/services.js";
import { useNow } from "../../shell/use_now.js";
import { runColumns, type RunNames } from "./columns.js";
import { CompareDrawer, RunDrawer } from "./drawer.js";
import { comparisonOf, isActive } from "./model.js";

const LIMIT = 200;

/**
 * Runs, the newest first. The address holds `source`, `sort`, and what is open: `run`, or `compare`, one run or two with
 * a comma.
 */
export default function RunsPage() {
  const { router, info } = useServices();
  const now = useNow();
  const reading = useReading((client) => client.get("inspections", { limit: LIMIT }), {
    on: ["run.state", "run.progress"],
  });
  const schedules = useReading((client) => client.get("inspections/schedules"), { on: ["schedule"] });
  const names: RunNames = {
    families: info.families,
    schedules: new Map(schedules.value.value?.schedules.map(({ id, name }) => [id, name])),
    now,
  };
  const selection = useSignal<Selection>(new Set());
  const source = SOURCES.find((name) => name === router.get("source")) ?? "";
  const runs = (reading.value.value?.runs ?? []).filter((run) => !source || run.accountSource === source);
  const open = runs.find(({ id }) => String(id) === router.get("run"));
  const comparison = comparisonOf(router.list("compare"));
  const close = () => router.set({ run: "", compare: "" }, { push: true });
  const newest = runs.find((run) => !isActive(run));
  const chosen = selection.value.size || !newest ? [...selection.value] : [idOf(newest)];
  return (
    <>
      <Head title={text("pages.runs")}>
        <Segmented
          label={text("scope.source")}
          value={source}
          segments={["" as const, ...SOURCES].map((value) => ({
            value,
            label: value ? text(`scope.${value}`) : text("scope.all"),
          }))}
          onChange={(value) => router.set({ source: value })}
        />
        <span class="grow" />
        <Button
          kind="primary"
          icon={GitCompareArrows}
          isDisabled={!chosen.length || chosen.length > 2}
          label={text("runs.compare")}
          onPress={() => router.set({ run: "", compare: chosen }, { push: true })}
        >
          {text("runs.compare")}
        </Button>
      </Head>
      <div class="body">
        <section class="card" aria-label={text("pages.runs")}>
          <Content reading={reading}>
            {() => (
              <DataTable
                label={text("pages.runs")}
                rows={runs}
                columns={runColumns(names)}
                idOf={idOf}
                nameOf={({ id }) => text("run.number", { run: String(id) })}
                selection={selection}
                order={{ written: router.get("sort"), change: (sort) => router.set({ sort }) }}
                onOpen={({ id }) => router.set({ run: id, compare: "" }, { push: true })}
                isCurrent={({ id }) => id === open?.id}
                empty={<EmptyText title={text("run.none")} hint={text("runs.purpose")} />}
              />
            )}
          </Content>
        </section>
        <p class="quiet">{text("runs.hint")}</p>
      </div>
      {open && <RunDrawer key={open.id} run={open} names={names} onClose={close} />}
      {comparison && (
        <CompareDrawer key={`${comparison.run}-${comparison.against}`} comparison={comparison} onClose={close} />
      )}
    </>
  );
}

function idOf({ id }: RunView): string {
  return String(id);
}

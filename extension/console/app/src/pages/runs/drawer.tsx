import { Download, GitCompareArrows, Play, Square } from "lucide";
import { useSignal } from "@preact/signals";
import type { ResultView, RunView } from "../../connection/api.js";
import type { Client } from "../../connection/client.js";
import { saveFile } from "../../connection/save_file.js";
import { text, tokenText } from "../../language/catalogue.js";
import { clipped, formatCount, formatTime } from "../../language/formats.js";
import { reasonsText } from "../../language/reasons.js";
import { Button } from "../../parts/button.js";
import { Chip } from "../../parts/chip.js";
import { Content } from "../../parts/content.js";
import { Drawer } from "../../parts/drawer.js";
import { EmptyText } from "../../parts/empty_text.js";
import { Facts } from "../../parts/facts.js";
import { Status } from "../../parts/status.js";
import { DataTable } from "../../parts/table/data_table.js";
import type { Settings } from "../../run_settings/fields.js";
import { useReading } from "../../shell/reading.js";
import { useServices } from "../../shell/services.js";
import { actsText, scopeText } from "../../run_settings/words.js";
import { resultColumns, type RunNames } from "./columns.js";
import { durationOf, isActive, originOf, pictureText, statusesOf, toneOfState, type Comparison } from "./model.js";
import { assign } from "../../parts/assign.js";

const PAGE = 2000;
const RESUMABLE: readonly string[] = ["paused", "interrupted", "failed"];
const FORMATS = ["csv", "jsonl"] as const;

export interface RunDrawerProps {
  run: RunView;
  names: RunNames;
  onClose: () => void;
}

/** A run with its results, their files, and what goes on with it. */
export function RunDrawer({ run, names, onClose }: RunDrawerProps) {
  const { client, router, notices } = useServices();
  const id = { run: run.id };
  const act = (path: "inspections/stop" | "inspections/resume") => () =>
    notices.attempt("runs", () => client.post(path, undefined, id));
  const foot = (
    <>
      {FORMATS.map((format) => (
        <Button
          key={format}
          icon={Download}
          label={text("report.file", { run: String(run.id), format: format.toUpperCase() })}
          onPress={() =>
            notices.attempt("export", async () => saveFile(await client.file("inspections/export", { ...id, format })))
          }
        >
          {format.toUpperCase()}
        </Button>
      ))}
      <span class="grow" />
      {isActive(run) && run.state !== "stopping" && (
        <Button icon={Square} onPress={act("inspections/stop")}>
          {text("run.stop")}
        </Button>
      )}
      {RESUMABLE.includes(run.state) && (
        <Button icon={Play} onPress={act("inspections/resume")}>
          {text("run.resume")}
        </Button>
      )}
      <Button icon={GitCompareArrows} onPress={() => router.set({ run: "", compare: run.id }, { push: true })}>
        {text("runs.compare_before")}
      </Button>
    </>
  );
  const head = <Status tone={toneOfState(run.state)}>{tokenText("run_state", run.state)}</Status>;
  return (
    <Drawer title={text("run.number", { run: String(run.id) })} head={head} foot={foot} onClose={onClose}>
      <RunFacts run={run} names={names} />
      <Results run={run} />
    </Drawer>
  );
}

function RunFacts({ run, names }: { run: RunView; names: RunNames }) {
  const settings = run.settings as Partial<Settings>;
  const facts: [string, string][] = [
    [text("runs.accounts"), scopeText(settings, names.families)],
    [text("runs.acts"), actsText(settings)],
    [text("runs.started"), formatTime(run.startedAt)],
    [text("runs.origin"), originOf(run, names.schedules)],
    [text("runs.took"), durationOf(run, names.now)],
    [text("runs.checked"), text("run.done", { done: run.done, total: run.total })],
    ...(run.onHold ? ([[text("results.on_hold"), formatCount(run.stillOnHold)]] as [string, string][]) : []),
  ];
  return (
    <>
      <Facts rows={facts} />
      {run.reason && <p class="problem">{reasonsText(run.reasons, run.reason)}</p>}
      <p>
        <a class="link" href={`activity?run=${run.id}`}>
          {text("runs.activity")}
        </a>
      </p>
    </>
  );
}

/** Results of a run, by status. */
function Results({ run }: { run: RunView }) {
  const reading = useReading((client) => readResults(client, run.id), {
    key: String(run.id),
    on: ["run.state", "run.progress"],
  });
  const chosen = useSignal("");
  const order = useSignal("");
  return (
    <>
      <div class="chips" role="group" aria-label={text("runs.results")}>
        {statusesOf(run).map(({ verdict, n, tone }) => (
          <Chip
            key={verdict}
            label={tokenText("status", verdict)}
            count={n}
            tone={tone}
            isOn={chosen.value === verdict}
            onPress={() => assign(chosen, chosen.peek() === verdict ? "" : verdict)}
          />
        ))}
      </div>
      <Content reading={reading}>
        {(results) => (
          <DataTable
            label={text("runs.results")}
            rows={results.filter(({ verdict }) => !chosen.value || verdict === chosen.value)}
            columns={resultColumns()}
            idOf={({ account }) => String(account)}
            nameOf={({ displayName }) => displayName}
            order={{
              written: order.value,
              change: (written) => assign(order, written),
            }}
            empty={<EmptyText title={text("results.run_empty")} />}
          />
        )}
      </Content>
    </>
  );
}

async function readResults(client: Client, run: number): Promise<ResultView[]> {
  const results: ResultView[] = [];
  for (let after = 0; ;) {
    const page = await client.get("inspections/results", { run, after, limit: PAGE });
    results.push(...page.results);
    if (page.results.length < PAGE) return results;
    after = page.next;
  }
}

/** What changed between two runs. */
export function CompareDrawer({ comparison, onClose }: { comparison: Comparison; onClose: () => void }) {
  const { run, against } = comparison;
  const reading = useReading(
    (client) => client.get("inspections/difference", { run, ...(against === null ? {} : { against }) }),
    { key: `${run} ${against}`, on: ["run.state"] },
  );
  const earlier = reading.value.value?.against ?? against;
  const title =
    earlier === null ? text("difference.title") : text("runs.compared", { run: String(run), against: String(earlier) });
  return (
    <Drawer title={title} onClose={onClose}>
      <Content reading={reading}>
        {({ changes, against: found }) => {
          if (found === null) return <EmptyText title={text("difference.none_before")} />;
          if (!changes.length) return <EmptyText title={text("difference.none")} />;
          return (
            <ul class="changes" aria-label={title}>
              {changes.map(({ account, displayName, keyHint, before, after }) => (
                <li key={account}>
                  <b>
                    <bdi>{clipped(displayName) || `#${account}`}</bdi>
                  </b>{" "}
                  <span class="mono quiet">{keyHint}</span>
                  <p class="quiet">{pictureText(before, text("difference.not_before"))}</p>
                  <p>→ {pictureText(after, text("difference.not_now"))}</p>
                </li>
              ))}
            </ul>
          );
        }}
      </Content>
    </Drawer>
  );
}

import type { FamilyView, ResultView, RunView } from "../../connection/api.js";
import { text, tokenText } from "../../language/catalogue.js";
import { formatAge, formatCount, formatTime } from "../../language/formats.js";
import { reasonsText } from "../../language/reasons.js";
import { Badge, Status } from "../../parts/status.js";
import type { Column } from "../../parts/table/columns.js";
import type { Settings } from "../../run_settings/fields.js";
import { actsText, isActing, scopeText } from "../../run_settings/words.js";
import { durationOf, originOf, toneOfState, toneOfVerdict, tonesOf } from "./model.js";

export interface RunNames {
  families: readonly FamilyView[];
  schedules: Map<number, string>;
  now: number;
}

export function runColumns({ families, schedules, now }: RunNames): Column<RunView>[] {
  return [
    { id: "run", title: text("runs.run"), width: 54, sortBy: ({ id }) => id, cell: ({ id }) => `#${id}` },
    {
      id: "state",
      title: text("runs.state"),
      width: 116,
      rank: 7,
      sortBy: ({ state }) => state,
      cell: ({ state }) => <Status tone={toneOfState(state)}>{tokenText("run_state", state)}</Status>,
    },
    {
      id: "started",
      title: text("runs.started"),
      width: 160,
      rank: 5,
      sortBy: ({ startedAt }) => startedAt,
      cell: ({ startedAt }) => formatTime(startedAt),
    },
    {
      id: "scope",
      title: text("runs.accounts"),
      width: 124,
      rank: 4,
      cell: ({ settings }) => <bdi>{scopeText(settings as Partial<Settings>, families)}</bdi>,
    },
    {
      id: "done",
      title: text("runs.checked"),
      width: 84,
      rank: 6,
      align: "end",
      sortBy: ({ done }) => done,
      cell: ({ done, total }) => (done === total ? formatCount(done) : text("run.done", { done, total })),
    },
    { id: "statuses", title: text("runs.results"), least: 280, cell: (run) => <Results run={run} now={now} /> },
    {
      id: "acts",
      title: text("runs.acts"),
      width: 200,
      rank: 2,
      cell: ({ settings }) => <Acts settings={settings as Partial<Settings>} />,
    },
    {
      id: "origin",
      title: text("runs.origin"),
      width: 96,
      rank: 3,
      cell: (run) => <bdi>{originOf(run, schedules)}</bdi>,
    },
    { id: "took", title: text("runs.took"), width: 100, rank: 1, align: "end", cell: (run) => durationOf(run, now) },
  ];
}

function Acts({ settings }: { settings: Partial<Settings> }) {
  return <Badge tone={isActing(settings) ? "you" : "unknown"}>{actsText(settings)}</Badge>;
}

/** Statuses of a run; on a phone, which has no room beside them, its state, start and changes on hold below them. */
function Results({ run, now }: { run: RunView; now: number }) {
  const held = run.stillOnHold > 0 && text("run.on_hold", { n: run.stillOnHold });
  return (
    <span class="named">
      <Statuses run={run} />
      {held && (
        <span class="wide-only">
          <Badge tone="wait">{held}</Badge>
        </span>
      )}
      <bdi class="quiet cut phone-only">
        {[tokenText("run_state", run.state), formatAge(now - run.startedAt), held].filter(Boolean).join(" · ")}
      </bdi>
    </span>
  );
}

function Statuses({ run }: { run: RunView }) {
  return (
    <span class="row">
      {tonesOf(run).map(({ tone, n, title }) => (
        <span key={tone} title={title}>
          <Status tone={tone}>
            <span class="visually-hidden">{title}</span>
            <span aria-hidden="true">{formatCount(n)}</span>
          </Status>
        </span>
      ))}
    </span>
  );
}

export function resultColumns(): Column<ResultView>[] {
  return [
    {
      id: "account",
      title: text("difference.account"),
      width: 126,
      sortBy: ({ displayName }) => displayName,
      cell: ({ displayName, keyHint, account }) => (
        <span title={[displayName, keyHint].filter(Boolean).join(" ")}>
          <bdi>{displayName || `#${account}`}</bdi>
        </span>
      ),
    },
    {
      id: "status",
      title: text("history.status"),
      width: 124,
      sortBy: ({ verdict }) => verdict,
      cell: ({ verdict }) => <Status tone={toneOfVerdict(verdict)}>{tokenText("status", verdict)}</Status>,
    },
    {
      id: "reason",
      title: text("hold.reason"),
      least: 140,
      cell: ({ reasons, reason }) => {
        const words = reasonsText(reasons, reason);
        return <span title={words}>{words}</span>;
      },
    },
  ];
}

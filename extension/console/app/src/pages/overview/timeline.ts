/** What automation did, by the stored actions and runs of a span: the same at every look. Pure. */

import type { ActionView, RunView, ScheduleView } from "../../connection/api.js";
import { text, tokenText } from "../../language/catalogue.js";
import type { Tone } from "../../parts/tone.js";
import { pageAddress } from "../../shell/pages.js";
import { accountsAddress } from "../../accounts/address.js";

const SWITCHES: readonly string[] = ["disable", "enable"];
const DONE: readonly string[] = ["applied", "unchanged"];

export interface Entry {
  id: string;
  at: number;
  words: string;
  tone: Tone;
  href: string;
  /** Batch that can be undone as a whole. */
  undo: number | null;
  isUndone: boolean;
}

/** What was read of a span. */
export interface Automation {
  actions: readonly ActionView[];
  reverted: readonly number[];
  runs: readonly RunView[];
  schedules: readonly ScheduleView[];
}

/** Return what happened since a time, the newest first: changes of each batch, and runs that a schedule started. */
export function timelineOf({ actions, reverted, runs, schedules }: Automation, since: number): Entry[] {
  const groups = Map.groupBy(actions, ({ batch, id, action, outcome }) =>
    [batch ?? `#${id}`, action, outcome].join(" "),
  );
  const undone = new Set(reverted);
  const changes = [...groups].map(([id, members]) => changeEntry(id, members, undone));
  const scheduled = runs.filter((run) => run.schedule !== null && (run.finishedAt ?? run.startedAt) >= since);
  const names = new Map(schedules.map(({ id, name }) => [id, name]));
  const changed = new Set(actions.map(({ run }) => run));
  const checks = scheduled.map((run) => runEntry(run, names.get(run.schedule ?? 0) ?? "", changed.has(run.id)));
  return [...changes, ...checks].sort((a, b) => b.at - a.at);
}

function changeEntry(id: string, members: readonly ActionView[], undone: ReadonlySet<number>): Entry {
  const [{ action, outcome, batch }] = members;
  const n = members.length;
  const isDone = DONE.includes(outcome);
  const canUndo = outcome === "applied" && SWITCHES.includes(action);
  const isUndone = canUndo && members.every((member) => undone.has(member.id));
  return {
    id,
    at: Math.max(...members.map(({ at }) => at)),
    words: isDone
      ? text(`overview.did_${action === "keep" ? "disable" : action}`, { n })
      : text("overview.did_not", {
          n,
          action: tokenText("action", action),
          outcome: tokenText("outcome", outcome).toLowerCase(),
        }),
    tone: isDone ? (action === "enable" ? "good" : "dead") : "wait",
    href: pageAddress("activity", batch === null ? { cause: "run" } : { batch }),
    undo: canUndo && !isUndone ? batch : null,
    isUndone,
  };
}

function runEntry(run: RunView, schedule: string, hasChanged: boolean): Entry {
  const healthy = run.verdicts.healthy ?? 0;
  const counts = text("overview.run_counts", { n: run.done, healthy });
  return {
    id: `run ${run.id}`,
    at: run.finishedAt ?? run.startedAt,
    words: [`${schedule || text("overview.schedule")}: ${counts}`, hasChanged ? "" : text("overview.no_change")]
      .filter(Boolean)
      .join(", "),
    tone: "unknown",
    href: accountsAddress({ source: run.accountSource, run: run.id }),
    undo: null,
    isUndone: false,
  };
}

/** Return the schedule that starts next; null where none is enabled. */
export function nextStart(schedules: readonly ScheduleView[]): ScheduleView | null {
  const enabled = schedules.filter(({ enabled: isOn }) => isOn).sort((a, b) => a.nextAt - b.nextAt);
  return enabled[0] ?? null;
}

/** Runs as rows, and two of them side by side. Pure. */

import { ACTIVE_STATES, VERDICTS, type PictureView, type RunView, type Verdict } from "../../connection/api.js";
import { text, tokenText } from "../../language/catalogue.js";
import { formatActor, formatCount, formatDuration } from "../../language/formats.js";
import type { Tone } from "../../parts/tone.js";

const PERSONS: readonly string[] = ["relogin_needed", "no_base_url"];
const TIMES: readonly string[] = ["out_of_quota", "rate_limited", "blocked"];
const PROVIDERS: readonly string[] = ["provider_error", "unreachable"];
const STATE_TONES: Record<string, Tone> = { finished: "good", failed: "dead", interrupted: "wait", stopped: "wait" };

/** Return who has to act after a status. */
export function toneOfVerdict(verdict: string): Tone {
  if (PERSONS.includes(verdict)) return "you";
  if (TIMES.includes(verdict)) return "wait";
  if (PROVIDERS.includes(verdict)) return "provider";
  const tone = VERDICTS[verdict as Verdict] as string | undefined;
  return tone === "good" ? "good" : tone === "bad" ? "dead" : "unknown";
}

export function toneOfState(state: string): Tone {
  return STATE_TONES[state] ?? "provider";
}

export function isActive({ state }: Pick<RunView, "state">): boolean {
  return ACTIVE_STATES.some((active) => active === state);
}

/** Return the statuses of a run with their counts, in the order in which they are shown everywhere. */
export function statusesOf({ verdicts }: Pick<RunView, "verdicts">): { verdict: string; n: number; tone: Tone }[] {
  return Object.keys(VERDICTS)
    .filter((verdict) => verdicts[verdict])
    .map((verdict) => ({ verdict, n: verdicts[verdict], tone: toneOfVerdict(verdict) }));
}

/** Return how many accounts of a run each tone has; the names of its statuses come with them. */
export function tonesOf(run: Pick<RunView, "verdicts">): { tone: Tone; n: number; title: string }[] {
  const groups = Map.groupBy(statusesOf(run), ({ tone }) => tone);
  return [...groups].map(([tone, statuses]) => ({
    tone,
    n: statuses.reduce((sum, { n }) => sum + n, 0),
    title: statuses.map(({ verdict, n }) => `${tokenText("status", verdict)} ${formatCount(n)}`).join(", "),
  }));
}

/** Return where a run came from: a schedule by its name, or the surface a person used. */
export function originOf({ schedule, startedBy }: Pick<RunView, "schedule" | "startedBy">, names: Map<number, string>) {
  if (schedule === null) return formatActor(startedBy);
  return names.get(schedule) ?? text("runs.schedule", { schedule: String(schedule) });
}

/** Return how long a run took, or has taken. */
export function durationOf({ startedAt, finishedAt }: Pick<RunView, "startedAt" | "finishedAt">, now: number): string {
  return formatDuration(Math.max((finishedAt ?? now) - startedAt, 0));
}

/** Runs to compare: the later one with the earlier, or one with the last that looked at the same accounts. */
export interface Comparison {
  run: number;
  against: number | null;
}

/** Return the runs that an address names; null where it names none. */
export function comparisonOf(written: readonly string[]): Comparison | null {
  const ids = written.map(Number).filter((id) => Number.isInteger(id) && id > 0);
  if (!ids.length || ids.length > 2) return null;
  return { run: Math.max(...ids), against: ids.length === 2 ? Math.min(...ids) : null };
}

/** Return an account's status, state and recommendation in a run, in words. */
export function pictureText(picture: PictureView | null, missing: string): string {
  if (!picture) return missing;
  const { verdict, enabled, action } = picture;
  const state = enabled === null ? "difference.state_unknown" : null;
  return text("difference.entry", {
    status: tokenText("status", verdict),
    state: state ? text(state) : tokenText("state", enabled ? "enabled" : "disabled"),
    action: tokenText("action", action),
  });
}

/**
 * Schedules in words, and the form of one. A form starts from the stored schedule, or from the defaults of the service:
 * nothing of another page, of the address or of this browser enters it. Pure.
 */

import {
  MODES_BY_SOURCE,
  SCHEDULE_LIMITS,
  type ModePlanView,
  type RunView,
  type ScheduleView,
  type Source,
} from "../../connection/api.js";
import { text } from "../../language/catalogue.js";
import { formatPercent } from "../../language/formats.js";
import { flawsOf, SOURCES, type Settings } from "../../run_settings/fields.js";
import { sourceLabel } from "../../run_settings/words.js";
import { startsOf, timesOf, type Times } from "./times.js";

/** Accounts of one source, or of both: a schedule has one source, so that those are two schedules. */
export type Scope = Source | "all";

export interface ScheduleForm {
  id: number | null;
  name: string;
  enabled: boolean;
  times: Times;
  jitterMinutes: number;
  scope: Scope;
  settings: Settings;
}

const DEFAULT_JITTER = 5;
const NIGHTLY = { intervalMinutes: null, cron: "0 3 * * *" };
/** Accounts that automation leaves enabled on each host unless a schedule says otherwise, as the service has it. */
const KEPT = 1;

/** Return the form of a stored schedule with each setting that it runs with. */
export function formOf(schedule: ScheduleView, defaults: Settings): ScheduleForm {
  const { id, name, enabled, jitterMinutes } = schedule;
  const settings = { ...defaults, keepAtLeast: KEPT, ...(schedule.settings as Partial<Settings>) };
  return { id, name, enabled, times: timesOf(schedule), jitterMinutes, scope: settings.accountSource, settings };
}

/** Return the form of a new schedule: nightly over all accounts, with the service's defaults; it only reports. */
export function newForm(defaults: Settings, timeZone: string): ScheduleForm {
  const form: ScheduleForm = {
    id: null,
    name: "",
    enabled: true,
    times: timesOf({ ...NIGHTLY, timeZone }),
    jitterMinutes: DEFAULT_JITTER,
    scope: "all",
    settings: { ...defaults, keepAtLeast: KEPT, autoActionMode: "none" },
  };
  return withScope(form, "all");
}

/** Return the form for other accounts. It acts if it did before, in the mildest way, and never deletes unasked. */
export function withScope(form: ScheduleForm, scope: Scope): ScheduleForm {
  const mode = form.settings.autoActionMode;
  const settings: Settings = {
    ...form.settings,
    accountSource: scope === "all" ? SOURCES[0] : scope,
    targetType: "all",
    apiKeyFamily: "all",
    providerFilter: "",
    autoActionMode: modesFor(scope).includes(mode) ? mode : "disable",
  };
  return { ...form, scope, settings };
}

/** Return the form for one family of keys, or one type of files. */
export function withFamily(form: ScheduleForm, family: string): ScheduleForm {
  const ofKeys = form.scope === "api_key" ? { apiKeyFamily: family } : {};
  return { ...form, settings: { ...form.settings, targetType: family, ...ofKeys } };
}

/** Return the modes that every source in scope knows. */
export function modesFor(scope: Scope): readonly Settings["autoActionMode"][] {
  return MODES_BY_SOURCE[scope === "all" ? "api_key" : scope];
}

export function sourcesOf(scope: Scope): readonly Source[] {
  return scope === "all" ? SOURCES : [scope];
}

/** Return the settings that a schedule of a source stores. */
export function settingsFor(form: ScheduleForm, source: Source): Settings {
  return form.scope === "all" ? { ...form.settings, accountSource: source } : form.settings;
}

/** Return the requests that store a form: one for each source in scope. */
export function requestsOf(form: ScheduleForm) {
  const { id, name, enabled, times, jitterMinutes, scope } = form;
  return sourcesOf(scope).map((source) => ({
    ...(id === null ? {} : { id }),
    name: scope === "all" ? `${name.trim()} · ${sourceLabel(source)}` : name.trim(),
    enabled,
    ...startsOf(times),
    jitterMinutes,
    settings: settingsFor(form, source),
  }));
}

/** Return the request that turns a schedule on or off and leaves the rest of it. */
export function turned(schedule: ScheduleView, enabled: boolean) {
  const { id, name, intervalMinutes, jitterMinutes, cron, timeZone, settings } = schedule;
  return { id, name, enabled, intervalMinutes, jitterMinutes, cron, timeZone, settings };
}

/** Return what is wrong with a form by the name of its field. */
export function problemsOf({ name, times, jitterMinutes, settings }: ScheduleForm): Record<string, string> {
  const { intervalMinutes: interval, jitterMinutes: jitter } = SCHEDULE_LIMITS;
  const count = (label: string, { least, most }: { least: number; most: number }) =>
    text("flaw.count", { field: label, least, most });
  const isWhole = (value: number, { least, most }: { least: number; most: number }) =>
    Number.isInteger(value) && value >= least && value <= most;
  return {
    ...(name.trim() ? {} : { name: text("schedule.name_missing") }),
    ...(times.preset === "minutes" && !isWhole(times.minutes, interval)
      ? { intervalMinutes: count(text("schedule.interval"), interval) }
      : {}),
    ...(times.preset === "cron" && !times.cron.trim() ? { cron: text("schedule.cron_missing") } : {}),
    ...(isWhole(jitterMinutes, jitter) ? {} : { jitterMinutes: count(text("schedule.jitter"), jitter) }),
    ...flawsOf(settings),
  };
}

/** Return the limits within which a schedule acts, in words. */
export function limitsText({ brake, disableLimit, disableMinimum, keepAtLeast }: Settings): string {
  const limit = brake
    ? text("schedule.limit", { share: formatPercent(100 * disableLimit), n: disableMinimum })
    : text("schedule.no_limit");
  return [limit, keepAtLeast ? text("schedule.kept", { n: keepAtLeast }) : ""].filter(Boolean).join(" ");
}

/** Return the newest finished run over the same accounts: what the effect of a schedule is told from. */
export function runLike(runs: readonly RunView[], { accountSource, targetType }: Settings): RunView | undefined {
  return runs.find(
    (run) => run.state === "finished" && run.accountSource === accountSource && run.targetType === targetType,
  );
}

/** Return what a mode would do after a run, in words. */
export function effectText(run: number, { applied, held }: Pick<ModePlanView, "applied" | "held">): string {
  const count = (action: string) => applied.filter((planned) => planned.action === action).length;
  const actions = (["disable", "enable", "delete"] as const)
    .map((action) => [action, count(action)] as const)
    .filter(([, n]) => n > 0)
    .map(([action, n]) => text(`schedule.would_${action}`, { n }));
  const onHold = held.length ? text("schedule.would_hold", { n: held.length }) : "";
  const effect = actions.length ? actions.join(", ") : text("schedule.would_nothing");
  return [text("schedule.effect", { run: String(run), effect }), onHold].filter(Boolean).join(" ");
}

import { beforeEach, expect, test } from "vitest";
import type { PlannedView, RunView, ScheduleView } from "../../connection/api.js";
import type { Settings } from "../../run_settings/fields.js";
import { actsText, isActing, scopeText } from "../../run_settings/words.js";
import { speakEnglish } from "../../testing/english.js";
import { settings as defaultSettings } from "../../testing/samples.js";
import {
  effectText,
  formOf,
  limitsText,
  newForm,
  problemsOf,
  requestsOf,
  runLike,
  turned,
  withFamily,
  withScope,
} from "./model.js";
import { startsOf, timesOf, whenText } from "./times.js";

const DEFAULTS = defaultSettings();
const STORED: ScheduleView = {
  id: 4,
  name: "nightly keys",
  enabled: true,
  intervalMinutes: null,
  cron: "0 3 * * *",
  timeZone: "Asia/Shanghai",
  jitterMinutes: 5,
  settings: { ...DEFAULTS, accountSource: "api_key", autoActionMode: "disable", workers: 7, keepAtLeast: 2 },
  nextAt: 0,
  lastAt: null,
  lastRun: null,
  problem: "",
  problems: [],
  savedBy: "page",
  savedAt: 0,
};

beforeEach(speakEnglish);

test("a saved schedule keeps every setting that it was stored with, whatever page or link it was opened from", () => {
  const [request, ...others] = requestsOf(formOf(STORED, DEFAULTS));
  expect(others).toEqual([]);
  expect(request).toEqual({ ...turned(STORED, true) });
});

test("a new schedule begins with the service's defaults alone: nightly, all accounts, reports only, one kept a host", () => {
  const requests = requestsOf({ ...newForm(DEFAULTS, "Asia/Shanghai"), name: "nightly" });
  expect(requests.map(({ name, settings }) => [name, settings.accountSource, settings.autoActionMode])).toEqual([
    ["nightly · API keys", "api_key", "none"],
    ["nightly · OAuth files", "oauth", "none"],
  ]);
  expect(requests[0]).toMatchObject({ cron: "0 3 * * *", timeZone: "Asia/Shanghai", intervalMinutes: null });
  expect(requests[0].settings).toEqual({ ...DEFAULTS, accountSource: "api_key", keepAtLeast: 1 });
});

test("other accounts neither turn acting into reporting nor reporting into acting, and never into deleting", () => {
  const reporting = newForm(DEFAULTS, "UTC");
  const acting = formOf({ ...STORED, settings: { ...DEFAULTS, autoActionMode: "strategy4" } }, DEFAULTS);
  expect(withScope(reporting, "oauth").settings.autoActionMode).toBe("none");
  expect(withScope(acting, "api_key").settings.autoActionMode).toBe("disable");
  expect(withScope(withScope(acting, "api_key"), "oauth").settings.autoActionMode).toBe("disable");
});

test("under API keys both names carry the family, and other accounts drop it", () => {
  const form = withFamily(withScope(newForm(DEFAULTS, "UTC"), "api_key"), "compat");
  expect(form.settings).toMatchObject({ targetType: "compat", apiKeyFamily: "compat" });
  expect(withScope(form, "oauth").settings).toMatchObject({ targetType: "all", apiKeyFamily: "all" });
});

test.each([
  [{ accountSource: "api_key", autoActionMode: "none" }, false, "Only reports"],
  [{ accountSource: "api_key", autoActionMode: "disable" }, true, "Disables and enables by itself"],
  [{ accountSource: "oauth", autoActionMode: "disable" }, true, "Disables by itself"],
  [{ accountSource: "oauth", autoActionMode: "strategy4" }, true, "Disables, enables and deletes"],
  [{}, false, "Only reports"],
] as [Partial<Settings>, boolean, string][])("a schedule with %j acts: %j, and says so", (settings, acts, words) => {
  expect([isActing(settings), actsText(settings)]).toEqual([acts, words]);
});

test.each([
  [{ intervalMinutes: 60, cron: "", timeZone: "" }, "hourly", "Every hour"],
  [{ intervalMinutes: 15, cron: "", timeZone: "" }, "minutes", "Every 15 minutes"],
  [
    { intervalMinutes: null, cron: "0 3 * * *", timeZone: "Asia/Shanghai" },
    "daily",
    "Every day at 03:00 AM, Asia/Shanghai",
  ],
  [{ intervalMinutes: null, cron: "30 14 * * 1-5", timeZone: "UTC" }, "weekdays", "Weekdays at 02:30 PM, UTC"],
  [{ intervalMinutes: null, cron: "0 6 * * 6", timeZone: "UTC" }, "weekly", "Every Saturday at 06:00 AM, UTC"],
  [{ intervalMinutes: null, cron: "*/20 8-18 * * *", timeZone: "UTC" }, "cron", "Cron */20 8-18 * * *, UTC"],
  [{ intervalMinutes: null, cron: "0 99 * * *", timeZone: "UTC" }, "cron", "Cron 0 99 * * *, UTC"],
])("%j is the preset %s, in words %j, and is stored as it was", (starts, preset, words) => {
  const times = timesOf(starts);
  expect([times.preset, whenText({ ...starts, jitterMinutes: 0 })]).toEqual([preset, words]);
  expect(startsOf(times)).toEqual(starts);
});

test("a random delay stands behind the time", () => {
  expect(whenText(STORED)).toBe("Every day at 03:00 AM, Asia/Shanghai, random delay up to 5 min");
});

test("what is wrong is said by its field before anything is stored", () => {
  const form = { ...newForm(DEFAULTS, "UTC"), jitterMinutes: Number.NaN };
  const broken = {
    ...form,
    times: { ...form.times, preset: "minutes" as const, minutes: 0 },
    settings: { ...form.settings, workers: 0, disableLimit: 2 },
  };
  expect(Object.keys(problemsOf(broken))).toEqual([
    "name",
    "intervalMinutes",
    "jitterMinutes",
    "disableLimit",
    "workers",
  ]);
  expect(problemsOf({ ...newForm(DEFAULTS, "UTC"), name: "x" })).toEqual({});
});

test("a row says its accounts in words", () => {
  const families = [{ token: "compat", label: "OpenAI-compatible", publicAddress: false }];
  const settings = { accountSource: "api_key" as const, targetType: "compat", providerFilter: "relay", sampleSize: 20 };
  expect(scopeText(settings, families)).toBe("API keys · OpenAI-compatible · “relay” · a sample of 20 accounts");
  expect(scopeText({ accountSource: "oauth", targetType: "all" }, families)).toBe("OAuth files");
});

test("the effect is told from the newest finished run of the same accounts", () => {
  const run = (id: number, state: string, accountSource: string, targetType = "all") =>
    ({ id, state, accountSource, targetType }) as RunView;
  const runs = [run(9, "running", "oauth"), run(8, "finished", "api_key"), run(7, "finished", "oauth", "codex")];
  expect(runLike([...runs, run(6, "finished", "oauth")], DEFAULTS)?.id).toBe(6);
  expect(runLike(runs, DEFAULTS)).toBeUndefined();
});

test("an effect counts what a mode would change and what would be on hold", () => {
  const planned = (action: string) => ({ action }) as PlannedView;
  const plan = { applied: [planned("disable"), planned("disable"), planned("enable")], held: [planned("disable")] };
  expect(effectText(3, plan)).toBe(
    "Based on run 3 it would disable up to 2 accounts, enable up to 1. 1 change would be put on hold.",
  );
  expect(effectText(3, { applied: [], held: [] })).toBe("Based on run 3 it would change nothing.");
  expect(limitsText({ ...DEFAULTS, keepAtLeast: 1 })).toBe(
    "A run disables at most 50 % of the enabled accounts; 20 are always allowed. " +
      "It leaves 1 account enabled on each host.",
  );
});

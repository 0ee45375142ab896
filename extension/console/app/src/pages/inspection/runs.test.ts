import { beforeEach, expect, test } from "vitest";
import { speakEnglish } from "../../testing/english.js";
import { Questions } from "../../testing/questions.js";
import { account, result, run, settings } from "../../testing/samples.js";
import { NO_FILTERS, Scan } from "./query.js";
import { failingOf, pendingNames, ProgressPace } from "./progress_pace.js";
import { costText, deedsText, describeRun, planText } from "./run_text.js";
import { isActive, isResumable, Runs } from "./runs.js";

beforeEach(speakEnglish);

const MINUTE = 60_000;

test("a paused run is under way and can be resumed, a stopped one neither", () => {
  const states = (["paused", "stopped", "failed"] as const).map((state) => run({ state }));
  expect(states.map(isActive)).toEqual([true, false, false]);
  expect(states.map(isResumable)).toEqual([true, false, true]);
});

test("a reading that began earlier does not replace a later one", async () => {
  const questions = new Questions();
  const runs = new Runs(questions.client);
  const loads = [runs.reload(1), runs.reload(1)];
  await Promise.resolve();
  questions.waiting.push(...questions.waiting.splice(0, 1));
  await questions.answer({ runs: [run({ state: "finished" })] });
  await questions.answer({ runs: [run({ state: "running" })] });
  await Promise.all(loads);
  expect(runs.find(1)?.state).toBe("finished");
});

test("progress by event goes forward only, a later reading does not take it back, and an ended run has none", async () => {
  const questions = new Questions();
  const runs = new Runs(questions.client);
  const load = runs.load();
  await questions.answer({ runs: [run({ done: 2 }), run({ id: 2, state: "stopped", done: 2 })] });
  await load;
  runs.progress(1, 5, 10);
  runs.progress(1, 3, 10);
  runs.progress(2, 9, 10);
  runs.progress(77, 9, 10);
  const again = runs.reload(1);
  await questions.answer({ runs: [run({ done: 4 })] });
  await again;
  expect([runs.find(1)?.done, runs.find(2)?.done, runs.list.value.length]).toEqual([5, 2, 2]);
});

test("a run that was started while the list was on its way stays in it", async () => {
  const questions = new Questions();
  const runs = new Runs(questions.client);
  const load = runs.load();
  const start = runs.start(settings());
  await Promise.resolve();
  questions.waiting.push(...questions.waiting.splice(0, 1));
  await questions.answer({ run: run({ id: 2 }) });
  await questions.answer({ runs: [run({ id: 1, state: "finished" })] });
  await questions.answer({ runs: [run({ id: 2 })] });
  await Promise.all([start, load]);
  expect(runs.list.value.map(({ id }) => id)).toEqual([2, 1]);
  expect(runs.active?.id).toBe(2);
});

test("a run is described by its state, its origin, its age, its duration and its reason", () => {
  expect(describeRun(run({ id: 3, startedAt: MINUTE }), 4 * MINUTE)).toBe(
    "Run 3 · running · started from the web · 3 min ago",
  );
  const ended = run({ state: "failed", finishedAt: 12_000, schedule: 4, reason: "No gateway." });
  expect(describeRun(ended, 0)).toBe("Run 1 · failed · took 12 s · started by schedule 4 · just now · No gateway.");
  expect(describeRun(run({ startedBy: "operator" }), 0)).toContain("started by operator");
});

test("after an automatic run the page says what it did, what it left on hold, and that it did nothing", () => {
  const ended = run({ id: 4, state: "finished", stillOnHold: 2, notCarriedOut: 1 });
  const deeds = { run: 4, disable: 1, enable: 3, delete: 0, undone: 0 };
  expect(deedsText(ended, deeds)).toBe(
    "Run 4: disabled 1 account, enabled 3 accounts; 2 on hold; 1 automatic action not carried out.",
  );
  expect(deedsText(run({ id: 4 }), { ...deeds, disable: 0, enable: 0 })).toBe("Run 4: changed nothing by itself.");
  expect(deedsText(run({ id: 4 }), { ...deeds, disable: 0, enable: 0, undone: 4 })).toBe("Run 4: 4 undone.");
  expect([deedsText(ended, null), deedsText(run({ id: 5 }), deeds)]).toEqual(["", ""]);
});

test("the plan counts disabling, enabling and deleting, and says nothing where there is nothing", () => {
  const { counts } = new Scan(NO_FILTERS, 0);
  expect(planText(counts)).toBe("");
  expect(planText({ ...counts, toDisable: 20, toEnable: 3 })).toBe("20 to disable, 3 to enable.");
});

test("a cost is an upper bound, and says when a run would send nothing", () => {
  const cost = {
    accounts: 14,
    probed: 12,
    requests: 1200,
    tokens: 1,
    sampled: false,
    skipped: 0,
    controls: 0,
    scheduledControls: 0,
  };
  expect(costText(cost)).toBe("The next run checks 12 of 14 accounts: up to 1,200 requests, up to 1 token.");
  expect(costText({ ...cost, sampled: true, tokens: 0 })).toMatch(/a sample of 12 accounts: .*, no tokens\.$/);
  expect(costText({ ...cost, probed: 0 })).toMatch(/^None of 14 accounts/);
  expect(costText({ ...cost, accounts: 0 })).toMatch(/^No account is in scope/);
});

test("the last accounts of a run are named once all are being checked, none of another source", () => {
  const accounts = [1, 2, 3, 4].map((id) =>
    account({ id, displayName: `relay-${id}`, lastResult: id > 2 ? null : result({ run: 7 }) }),
  );
  const active = run({ id: 7, done: 2, total: 4 });
  expect(pendingNames(active, accounts)).toEqual(["relay-3 #3", "relay-4 #4"]);
  expect(pendingNames({ ...active, done: 1 }, accounts)).toEqual([]);
  expect(pendingNames({ ...active, state: "finished" }, accounts)).toEqual([]);
  expect(pendingNames({ ...active, accountSource: "oauth" }, accounts)).toEqual([]);
  const many = [1, 2, 3, 4, 5].map((id) => account({ id, displayName: `relay-${id}` }));
  const wide = { ...active, done: 0, total: 5 };
  expect(pendingNames({ ...wide, settings: { workers: 4 } }, many)).toEqual([]);
  expect(pendingNames({ ...wide, settings: { workers: 5 } }, many)).toEqual([
    "relay-1 #1",
    "relay-2 #2",
    "relay-3 #3",
    "and 2 more",
  ]);
  expect(new ProgressPace().describe(active, 0, ["relay-3"])).toBe("waiting for relay-3");
});

test("the pace of a run counts the last seconds only, falls while nothing comes in, and a paused run has none", () => {
  const pace = new ProgressPace();
  expect(pace.describe(run({ total: 100 }), 0)).toBe("");
  expect(pace.describe(run({ done: 50, total: 100 }), 5_000)).toBe("10 per second · 5 s left");
  expect(pace.describe(run({ done: 50, total: 100 }), 10_000)).toBe("5.0 per second · 10 s left");
  expect(pace.describe(run({ done: 50, total: 100, state: "paused" }), 11_000)).toBe("");
  expect(pace.describe(run({ done: 51, total: 100 }), 60_000)).toBe("");
  expect(failingOf(run({ verdicts: { invalid_key: 2, healthy: 88 } }))).toBe(2);
  expect(failingOf(run(), 3)).toBe(3);
});

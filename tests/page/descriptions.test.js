import assert from "node:assert/strict";
import test from "node:test";

import { MODES_BY_SOURCE, OUTCOMES, VERDICTS } from "../../extension/console/static/_generated_constants.js";
import { outcomeLabel, toneOfOutcome } from "../../extension/console/static/actions/plan_nodes.js";
import { pendingNames } from "../../extension/console/static/run/pending_accounts.js";
import { failingOf, ProgressPace } from "../../extension/console/static/run/progress_pace.js";
import { describeCost } from "../../extension/console/static/run/cost_line.js";
import { describeRun } from "../../extension/console/static/run/run_panel.js";
import { modeLabel } from "../../extension/console/static/settings/modes.js";
import { toneOf, Vocabulary } from "../../extension/console/static/table/vocabulary.js";
import { speakEnglish } from "./english.js";
import { account, result, run } from "./samples.js";

const MINUTE = 60_000;

speakEnglish();

test("a run is described by its state, its origin and its age", () => {
  assert.equal(describeRun(run({ id: 3, startedAt: MINUTE }), 4 * MINUTE),
    "Run 3 · running · started from the web · 3 min ago");
});

test("an ended run has its duration, and its reason last", () => {
  const ended = run({ state: "failed", startedAt: 0, finishedAt: 12_000, schedule: 4, reason: "No gateway." });
  assert.equal(describeRun(ended, 0), "Run 1 · failed · took 12 s · started by schedule 4 · just now · No gateway.");
});

test("an unknown origin is named as the service names it", () => {
  assert.match(describeRun(run({ startedBy: "operator" }), 0), /started by operator/);
});

test("a cost is an upper bound, and says when a run would send nothing", () => {
  const cost = { accounts: 14, probed: 12, requests: 1200, tokens: 1, sampled: false };
  assert.equal(describeCost(cost), "The next run checks 12 of 14 accounts: up to 1,200 requests, up to 1 token.");
  assert.match(describeCost({ ...cost, sampled: true, tokens: 0 }), /a sample of 12 accounts: .*, no tokens\.$/);
  assert.match(describeCost({ ...cost, probed: 0 }), /^None of 14 accounts/);
  assert.match(describeCost({ ...cost, accounts: 0 }), /^No account is in scope/);
});

test("each status has a label and a tone, and an unknown one is neutral with the service's label", () => {
  const vocabulary = new Vocabulary({ verdicts: [{ token: "new_one", label: "New one", meaning: "" }], families: [] });
  for (const [token, tone] of Object.entries(VERDICTS)) {
    assert.notEqual(vocabulary.verdict(token), token);
    assert.equal(toneOf(token), tone);
  }
  assert.equal(vocabulary.verdict("new_one"), "New one");
  assert.equal(vocabulary.verdict("never_seen"), "never seen");
  assert.equal(vocabulary.verdict(""), "Not checked");
  assert.equal(toneOf("new_one"), "neutral");
});

test("labels of statuses are unique, so that filters can be told apart", () => {
  const vocabulary = new Vocabulary({ verdicts: [], families: [] });
  const labels = Object.keys(VERDICTS).map((token) => vocabulary.verdict(token));
  assert.equal(new Set(labels).size, labels.length);
});

test("only an applied change is good news", () => {
  const tones = Object.keys(OUTCOMES).map((each) => toneOfOutcome(/** @type {keyof typeof OUTCOMES} */ (each)));
  assert.equal(tones.filter((tone) => tone === "good").length, 1);
  assert.equal(toneOfOutcome("applied"), "good");
  assert.equal(outcomeLabel("conflict"), "Skipped");
});

test("a family without a public address of its vendor offers none", () => {
  const families = [
    { token: "compat", label: "OpenAI-compatible", publicAddress: false },
    { token: "vendor-b-apikey", label: "Claude", publicAddress: true },
  ];
  const vocabulary = new Vocabulary({ verdicts: [], families });
  assert.equal(vocabulary.hasPublicAddress("compat"), false);
  assert.equal(vocabulary.hasPublicAddress("vendor-b-apikey"), true);
  assert.equal(vocabulary.family("vendor-b-apikey"), "Claude");
  assert.equal(vocabulary.family(""), "–");
});

test("no mode of API keys deletes, and each mode has a label of its own", () => {
  assert.deepEqual(MODES_BY_SOURCE.api_key, ["none", "disable"]);
  const labels = MODES_BY_SOURCE.oauth.map((mode) => modeLabel("oauth", mode));
  assert.equal(new Set(labels).size, labels.length);
  assert.notEqual(modeLabel("api_key", "disable"), modeLabel("oauth", "disable"));
  assert.equal(modeLabel("api_key", "strategy4"), "strategy4");
});

test("the last accounts of a run are named once all are being checked, none of another source", () => {
  const results = [1, 2, 3, 4].map((id) => account({ id, displayName: `relay-${id}`,
    lastResult: id > 2 ? null : { ...result(), run: 7 } }));
  const accounts = new Map(results.map((each) => [each.id, each]));
  const active = { ...run({ done: 2, total: 4 }), id: 7 };
  assert.deepEqual(pendingNames(active, accounts), ["relay-3 #3", "relay-4 #4"]);
  assert.deepEqual(pendingNames({ ...active, done: 1 }, accounts), []);
  assert.deepEqual(pendingNames({ ...active, state: "finished" }, accounts), []);
  assert.deepEqual(pendingNames(undefined, accounts), []);
  const more = [1, 2, 3, 4, 5].map((id) => account({ id, displayName: `relay-${id}`, lastResult: null }));
  const many = new Map(more.map((each) => [each.id, each]));
  const wide = { ...active, done: 0, total: 5 };
  assert.deepEqual(pendingNames({ ...wide, settings: { workers: 4 } }, many), []);
  assert.deepEqual(pendingNames({ ...wide, settings: { workers: 5 } }, many),
    ["relay-1 #1", "relay-2 #2", "relay-3 #3", "and 2 more"]);
  assert.equal(new ProgressPace().describe(active, 0, ["relay-3"]), "waiting for relay-3");
});

test("the rate of a run falls while nothing comes in", () => {
  const pace = new ProgressPace();
  pace.describe(run({ done: 0, total: 100 }), 0);
  assert.equal(pace.describe(run({ done: 50, total: 100 }), 5000), "10 per second · 5 s left");
  assert.equal(pace.describe(run({ done: 50, total: 100 }), 10_000), "5.0 per second · 10 s left");
});

test("the pace of a run counts the last seconds only, and a paused run has none", () => {
  const pace = new ProgressPace();
  assert.equal(pace.describe(run({ done: 0, total: 100 }), 0), "");
  assert.equal(pace.describe(run({ done: 50, total: 100 }), 5000), "10 per second · 5 s left");
  assert.equal(pace.describe(run({ done: 50, total: 100, state: "paused" }), 9000), "");
  assert.equal(pace.describe(run({ done: 51, total: 100 }), 60_000), "");
  assert.equal(pace.describe(run({ done: 90, total: 100, verdicts: { invalid_key: 2, healthy: 88 } }), 64_000),
    "9.8 per second · 1 s left");
  assert.equal(failingOf(run({ verdicts: { invalid_key: 2, healthy: 88 } })), 2);
  assert.equal(failingOf(run({ verdicts: {} }), 3), 3);
});

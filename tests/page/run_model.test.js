import assert from "node:assert/strict";
import test from "node:test";

import { ResultReader } from "../../extension/console/static/run/result_reader.js";
import { isActive, isResumable, RunModel } from "../../extension/console/static/run/run_model.js";
import { Questions } from "./questions.js";
import { result, run } from "./samples.js";
import { speakEnglish } from "./english.js";

speakEnglish();

test("a paused run is under way and can be resumed, a stopped one neither", () => {
  assert.deepEqual([isActive(run({ state: "paused" })), isResumable(run({ state: "paused" }))], [true, true]);
  assert.deepEqual([isActive(run({ state: "stopped" })), isResumable(run({ state: "stopped" }))], [false, false]);
  assert.deepEqual([isActive(run({ state: "failed" })), isResumable(run({ state: "failed" }))], [false, true]);
  assert.deepEqual([isActive(undefined), isResumable(undefined)], [false, false]);
});

test("a reading that began earlier does not replace a later one", async (context) => {
  const questions = new Questions(context);
  const model = new RunModel(questions.client);
  const [early, late] = [model.reload(1), model.reload(1)];
  await questions.answer({ runs: [run({ state: "finished" })] }, { at: 1 });
  await questions.answer({ runs: [run({ state: "running" })] });
  await Promise.all([early, late]);
  assert.equal(model.find(1)?.state, "finished");
});

test("progress by event goes forward only, and a later reading does not take it back", async (context) => {
  const questions = new Questions(context);
  const model = new RunModel(questions.client);
  const load = model.load();
  await questions.answer({ runs: [run({ done: 2 })] });
  await load;
  model.progress(1, 5, 10);
  model.progress(1, 3, 10);
  assert.equal(model.find(1)?.done, 5);
  const again = model.reload(1);
  await questions.answer({ runs: [run({ done: 4 })] });
  await again;
  assert.equal(model.find(1)?.done, 5);
});

test("a run that was started while the list was on its way stays in it", async (context) => {
  const questions = new Questions(context);
  const model = new RunModel(questions.client);
  const load = model.load();
  const start = model.start(/** @type {import("../../extension/console/static/settings/fields.js").Settings} */ ({}));
  await questions.answer({ run: run({ id: 2 }) }, { at: 1 });
  await questions.answer({ runs: [run({ id: 2 })] }, { at: 1 });
  await start;
  await questions.answer({ runs: [run({ id: 1, state: "finished" })] });
  await load;
  assert.deepEqual(model.runs.map(({ id }) => id), [2, 1]);
  assert.equal(model.active?.id, 2);
});

test("progress of a run that has ended changes nothing", async (context) => {
  const questions = new Questions(context);
  const model = new RunModel(questions.client);
  const load = model.load();
  await questions.answer({ runs: [run({ state: "stopped", done: 2 })] });
  await load;
  model.progress(1, 9, 10);
  model.progress(77, 9, 10);
  assert.equal(model.find(1)?.done, 2);
});

test("results are read in order, each once, and a call meanwhile adds one further read", async (context) => {
  const questions = new Questions(context);
  /** @type {number[]} */
  const landed = [];
  const reader = new ResultReader(questions.client, 4, (results) => landed.push(...results.map(({ seq }) => seq)));
  const reads = [reader.read(), reader.read(), reader.read()];
  await questions.answer({ results: [result({ seq: 1 }), result({ seq: 2, account: 2 })], next: 2 });
  assert.match(questions.waiting[0].path, /after=2/);
  await questions.answer({ results: [], next: 2 });
  await questions.answer({ results: [result({ seq: 3, account: 3 })], next: 3 });
  await questions.answer({ results: [], next: 3 });
  await Promise.all(reads);
  assert.deepEqual(landed, [1, 2, 3]);
  assert.deepEqual([...reader.results.keys()], [1, 2, 3]);
  assert.deepEqual(questions.waiting, []);
});

import assert from "node:assert/strict";
import test from "node:test";

import { parseEvent } from "../../extension/console/static/connection/event_stream.js";
import { Latest } from "../../extension/console/static/connection/latest.js";
import { speakEnglish } from "./english.js";

speakEnglish();

test("an event carries its number, its run and its data", () => {
  const text = JSON.stringify({ seq: 7, kind: "run.progress", run: 3, data: { done: 1, total: 2 } });
  assert.deepEqual(parseEvent("run.progress", "9", text),
    { seq: 7, kind: "run.progress", run: 3, data: { done: 1, total: 2 } });
});

test("the number of the message stands in for a missing one", () => {
  assert.deepEqual(parseEvent("pool", "9", "{}"), { seq: 9, kind: "pool", run: null, data: {} });
});

test("anything that is not an event is dropped", () => {
  for (const text of ["", "{", "null", "3", '"text"', '{"seq": "x"}']) {
    assert.equal(parseEvent("result", "9", text), null, text);
  }
  assert.equal(parseEvent("result", "none", "{}"), null);
});

test("a reading counts unless one that began later is shown", () => {
  const latest = new Latest();
  const [first, second] = [latest.begin(), latest.begin()];
  assert.equal(latest.counts(second), true);
  assert.equal(latest.counts(first), false);
  assert.equal(latest.counts(first, "another thing"), true);
});

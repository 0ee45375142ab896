import assert from "node:assert/strict";
import test from "node:test";

import { withoutLabel } from "../../extension/console/static/table/row_view.js";
import { ProgressPace } from "../../extension/console/static/run/progress_pace.js";
import { speakEnglish } from "./english.js";
import { run } from "./samples.js";

speakEnglish();

test("a reason leaves out the status that its row shows", () => {
  const reason = "Invalid key: the provider does not know it.";
  assert.equal(withoutLabel(reason, "Invalid key"), "The provider does not know it.");
  assert.equal(withoutLabel("密钥无效：供应商不认识它。", "密钥无效"), "供应商不认识它。");
  assert.equal(withoutLabel("Key not permitted (HTTP 403)", "Forbidden"), "Key not permitted (HTTP 403)");
  assert.equal(withoutLabel("anything", ""), "anything");
});

test("a run tells no time left while it waits for its last accounts", () => {
  const pace = new ProgressPace();
  pace.describe(run({ state: "running", total: 10, done: 0 }), 0);
  const busy = pace.describe(run({ state: "running", total: 10, done: 8 }), 4000);
  assert.match(busy, /left/);

  const waiting = pace.describe(run({ state: "running", total: 10, done: 9 }), 5000, ["silent"]);
  assert.match(waiting, /waiting for silent/);
  assert.doesNotMatch(waiting, /left/);
});

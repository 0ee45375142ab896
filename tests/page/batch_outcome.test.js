import assert from "node:assert/strict";
import test from "node:test";

import { summaryOf } from "../../extension/console/static/actions/batch_outcome.js";
import { speakEnglish } from "./english.js";

speakEnglish();

const BATCH = {
  id: 4, run: null, cause: "request", actor: "", actorKind: "person", state: "failed", reason: "The database refused.",
  reasons: [], total: 60, done: 25, planned: { onHold: 0, notEnabled: 0, already: 0, refused: 0, applied: 60 },
  outcomes: { applied: 25 }, at: 0, endedAt: 1,
};

/** @param {Record<string, unknown>} changed */
function said(changed) {
  const actions = [{ action: "disable" }, { action: "disable" }];
  const done = { actions, batch: { ...BATCH, ...changed } };
  return summaryOf(/** @type {import("../../extension/console/_generated_types.js").CommandAnswer} */ (
    /** @type {unknown} */ (done)));
}

test("a batch that was cut off says that its rest can be repeated", () => {
  assert.match(said({}), /35 not done\. The database refused\. The rest was not begun .* give the same command again/);
  assert.match(said({ cause: "run", state: "interrupted" }), /the next inspection decides about it again/);
  assert.doesNotMatch(said({ state: "canceled" }), /The rest/);
  assert.doesNotMatch(said({ state: "done", done: 60 }), /The rest/);
});

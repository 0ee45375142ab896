import assert from "node:assert/strict";
import test from "node:test";

import { Live } from "../../extension/console/static/shell/live.js";
import { ApiProblem } from "../../extension/console/static/connection/problem.js";
import { speakEnglish } from "./english.js";

speakEnglish();

/** @typedef {ConstructorParameters<typeof Live>} Parts */

/** The sign, and the notices that were shown and cleared, of a live page. */
function livePage() {
  /** @type {unknown[]} */
  const shown = [];
  const notices = {
    showProblem: (/** @type {string} */ _topic, /** @type {unknown} */ problem) => shown.push(problem),
    clear: () => {}, storeAnswered: () => {},
  };
  const indicator = { textContent: "", dataset: {} };
  const live = new Live(/** @type {Parts[0]} */ (/** @type {unknown} */ ({ hasMissed: false })),
    /** @type {Parts[1]} */ (/** @type {unknown} */ (notices)),
    /** @type {Parts[2]} */ (/** @type {unknown} */ (indicator)));
  return { shown, indicator, live, hear: live.stream.listener };
}

test("a stream that is lost once more without a reason says nothing beyond the reason that is known", () => {
  const { shown, indicator, hear } = livePage();
  const problem = new ApiProblem({ message: "The database refused.", code: "store" });
  hear.onState("lost", problem);
  const sign = indicator.textContent;
  hear.onState("lost");
  assert.deepEqual(shown, [problem]);
  assert.equal(indicator.textContent, sign);
});

test("an answer of the service has lost events asked for anew, once until that has come to something", () => {
  const { live, hear } = livePage();
  let asked = 0;
  live.stream.askNow = () => {
    asked += 1;
    return true;
  };
  hear.onState("live");
  live.hearService();
  assert.equal(asked, 0);
  hear.onState("lost");
  live.hearService();
  live.hearService();
  assert.equal(asked, 1);
  hear.onState("lost");
  live.hearService();
  assert.equal(asked, 2);
});

test("a process that starts anew or answers too late is waited for without a notice", () => {
  const { shown, indicator, live, hear } = livePage();
  hear.onState("polling");
  for (const [status, code] of /** @type {[number, string][]} */ ([[504, "deadline_exceeded"], [503, "starting"]])) {
    hear.onState("lost", new ApiProblem({ message: "It does not answer.", code, status }));
    assert.equal(live.isLost, true, code);
  }
  assert.equal(indicator.textContent, "Connection lost. Reconnecting…");
  hear.onState("polling");
  assert.deepEqual([shown, live.isLost], [[], false]);
});

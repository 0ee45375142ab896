import assert from "node:assert/strict";
import test from "node:test";

import { ReadAgain } from "../../extension/console/static/shell/read_again.js";
import { speakEnglish } from "./english.js";
import { Questions } from "./questions.js";

speakEnglish();

/**
 * Readings again, on a clock of the test.
 *
 * @param {import("node:test").TestContext} context
 */
function failing(context) {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  Object.defineProperty(globalThis, "document", { value: { hidden: false }, configurable: true });
  context.after(() => { Reflect.deleteProperty(globalThis, "document"); });
  let reads = 0;
  const again = new ReadAgain(() => { reads += 1; });
  return {
    again,
    /**
     * Let time pass.
     *
     * @param {number} seconds
     * @returns {number} how often was read again meanwhile
     */
    after: (seconds) => {
      const before = reads;
      context.mock.timers.tick(seconds * 1_000);
      return reads - before;
    },
  };
}

test("what could not be read is read again after three seconds, then ever later, at most thirty", (context) => {
  const { again, after } = failing(context);
  for (const seconds of [3, 6, 12, 24, 30, 30]) {
    again.soon();
    again.soon();
    assert.equal(after(seconds - 0.001), 0);
    assert.equal(after(0.001), 1);
  }
  assert.equal(after(600), 0);
});

test("it starts anew after two minutes without a failure, not after an answer that took one", (context) => {
  const { again, after } = failing(context);
  for (const seconds of [3, 6, 12, 24, 30]) {
    again.soon();
    after(seconds);
  }
  after(90);
  again.soon();
  assert.equal(after(29), 0);
  assert.equal(after(1), 1);
  after(120);
  again.soon();
  assert.equal(after(3), 1);
});

test("a page that nobody looks at reads when it is shown", (context) => {
  const { again, after } = failing(context);
  const place = new EventTarget();
  Object.defineProperty(globalThis, "document", { value: Object.assign(place, { hidden: true }), configurable: true });
  again.soon();
  assert.equal(after(60), 0);
  Object.assign(place, { hidden: false }).dispatchEvent(new Event("visibilitychange"));
  assert.equal(after(3), 1);
});

test("the client tells of reads that the service fails to answer, and of nothing else", async (context) => {
  const questions = new Questions(context);
  let failed = 0;
  questions.client.onReadFailed = () => { failed += 1; };
  const { client } = questions;
  const refused = [client.get("info"), client.get("info"), client.post("inspections/stop"), client.get("info")]
    .map((request) => assert.rejects(request));
  await questions.answer({ error: "trouble" }, { status: 500 });
  assert.equal(failed, 1);
  await questions.answer({ error: "unknown" }, { status: 404 });
  await questions.answer({ error: "trouble" }, { status: 500 });
  assert.equal(failed, 1);
  await questions.fail();
  assert.equal(failed, 2);
  await Promise.all(refused);
});

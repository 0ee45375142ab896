import assert from "node:assert/strict";
import test from "node:test";

import { costOf, leastCount, leastShort } from "../../extension/console/static/usage/amounts.js";
import { speakEnglish } from "./english.js";

speakEnglish();

test("counts and costs beside a gap are least ones", () => {
  assert.deepEqual([leastCount(1234, true), leastCount(1234, false)], ["≥ 1,234", "1,234"]);
  assert.deepEqual([leastShort(1_200_000, true), leastShort(1_200_000, false)], ["≥ 1.2M", "1.2M"]);
  const sum = { requests: 3, usd: "1.5", unpriced: 0 };
  assert.deepEqual([costOf(sum, true), costOf(sum), costOf({ ...sum, unpriced: 1 })],
    ["≥ $1.50", "$1.50", "≥ $1.50"]);
  assert.equal(costOf({ requests: 0, usd: null, unpriced: 0 }, true), "≥ $0.00");
  assert.equal(costOf({ requests: 1, usd: null, unpriced: 1 }, true), "unknown");
});

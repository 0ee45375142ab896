import assert from "node:assert/strict";
import test from "node:test";

import { costOf, leastCount, leastShort } from "../../extension/console/static/usage/amounts.js";
import { gapHours } from "../../extension/console/static/usage/periods.js";
import { speakEnglish } from "./english.js";

speakEnglish();

const HOUR = 3_600_000;
/** A Monday, 0:00 in UTC. */
const MONDAY = Date.UTC(2026, 10, 23);
const WEEK = { start: MONDAY, end: MONDAY + 7 * 24 * HOUR };

test("counts and costs beside a gap are least ones", () => {
  assert.deepEqual([leastCount(1234, true), leastCount(1234, false)], ["≥ 1,234", "1,234"]);
  assert.deepEqual([leastShort(1_200_000, true), leastShort(1_200_000, false)], ["≥ 1.2M", "1.2M"]);
  const sum = { requests: 3, usd: "1.5", unpriced: 0 };
  assert.deepEqual([costOf(sum, true), costOf(sum), costOf({ ...sum, unpriced: 1 })],
    ["≥ $1.50", "$1.50", "≥ $1.50"]);
  assert.equal(costOf({ requests: 0, usd: null, unpriced: 0 }, true), "≥ $0.00");
  assert.equal(costOf({ requests: 1, usd: null, unpriced: 1 }, true), "unknown");
});

test("a gap touches the hours of the week that it lies in, within the period alone", () => {
  const gap = { start: MONDAY + 90 * 60_000, end: MONDAY + 3 * HOUR };
  assert.deepEqual([...gapHours([gap], WEEK)], [1, 2]);
  assert.deepEqual([...gapHours([gap], { ...WEEK, start: MONDAY + 2 * HOUR })], [2]);
  assert.deepEqual([...gapHours([gap], { start: MONDAY + 4 * HOUR, end: WEEK.end })], []);
  assert.equal(gapHours([{ start: 0, end: WEEK.end }], { start: 0, end: WEEK.end }).size, 7 * 24);
});

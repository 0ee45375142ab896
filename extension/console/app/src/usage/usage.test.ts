import { beforeEach, expect, test } from "vitest";
import type { SeriesAnswer } from "../connection/api.js";
import { withColors } from "../parts/color_book.js";
import { speakEnglish } from "../testing/english.js";
import { boundTexts, changeText, costOf, leastCount, leastShort, leavesOut } from "./amounts.js";
import { toneOfFailure } from "./failures.js";
import { axisName, periodBefore, periodOf } from "./periods.js";
import { chosenPeriod, filterOf, filtersOf, nameOfPeriod, selectionOf, shownNames } from "./selection.js";
import { outcomeSeries, seriesOf } from "./series.js";

beforeEach(speakEnglish);

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** A Wednesday, 14:20 in UTC. */
const NOW = Date.UTC(2026, 10, 25, 14, 20);
const MIDNIGHT = Date.UTC(2026, 10, 25);
const address = (written: string) => (name: string) => new URLSearchParams(written).get(name) ?? "";

test("counts and costs beside a gap, and costs beside requests without a price, are lower bounds", () => {
  expect([leastCount(1234, true), leastCount(1234, false)]).toEqual(["≥ 1,234", "1,234"]);
  expect([leastShort(1_200_000, true), leastShort(1_200_000, false)]).toEqual(["≥ 1.2M", "1.2M"]);
  const sum = { requests: 3, usd: "1.5", unpriced: 0 };
  expect([costOf(sum, true), costOf(sum), costOf({ ...sum, unpriced: 1 })]).toEqual(["≥ $1.50", "$1.50", "≥ $1.50"]);
  expect(costOf({ requests: 0, usd: null, unpriced: 0 }, true)).toBe("≥ $0.00");
  expect(costOf({ requests: 1, usd: null, unpriced: 1 })).toBe("unknown");
});

const gap = { id: 1, start: 5, end: 6, kind: "down", missing: null };
test.each([
  ["no gap and nothing removed", { prunedBefore: 0 }, "model", {}, false],
  ["a gap", { gaps: [gap] }, "model", {}, true],
  ["removed requests that whole hours of one name still count", { prunedBefore: NOW }, "model", {}, false],
  ["removed requests, filtered by the same name", { prunedBefore: NOW }, "model", { model: "gpt-5" }, false],
  ["removed requests, filtered by another name", { prunedBefore: NOW }, "model", { client: "x" }, true],
  ["removed requests, only failed ones", { prunedBefore: NOW }, "none", { failed: "true" }, true],
  ["removed requests of a part of an hour", { prunedBefore: NOW, start: MIDNIGHT + 60_000 }, "model", {}, true],
  ["requests removed before the period", { prunedBefore: MIDNIGHT }, "model", { client: "x" }, false],
])("with %s, sums are lower bounds or not", (_, summary, by, filters: Record<string, string>, isLeast) => {
  expect(leavesOut({ gaps: [], prunedBefore: 0, start: MIDNIGHT, ...summary }, by, filters)).toBe(isLeast);
});

test("the reasons of lower bounds are told: gaps, requests without a record, and removed requests", () => {
  const summary = { gaps: [gap, { ...gap, kind: "unrecorded", missing: 3 }], prunedBefore: NOW, start: MIDNIGHT };
  const texts = boundTexts(summary, "model", { client: "x" });
  expect(texts.map((words) => words.split(/[ :]/).slice(0, 2).join(" "))).toEqual([
    "2 gaps",
    "3 requests",
    "Single requests",
    "The sums",
  ]);
  expect(boundTexts({ ...summary, gaps: [], prunedBefore: 0 }, "model", { client: "x" })).toEqual([]);
});

test.each([
  [112, 100, "+12 %"],
  [94, 100, "−6 %"],
  [100, 100, "±0 %"],
  [5, 0, ""],
  [null, 100, ""],
  [5000, 1, ""],
])("%j after %j is a change of %j", (now, before, change) => {
  expect(changeText(now, before)).toBe(change);
});

test.each([
  ["today", [MIDNIGHT, NOW + 1], [MIDNIGHT - DAY, NOW + 1 - DAY]],
  ["yesterday", [MIDNIGHT - DAY, MIDNIGHT], [MIDNIGHT - 2 * DAY, MIDNIGHT - DAY]],
  ["24h", [NOW - DAY - 20 * 60_000, NOW + 1], [NOW - 2 * DAY - 20 * 60_000, NOW + 1 - DAY]],
  ["15m", [NOW - 900_000, NOW + 1], [NOW - 1_800_001, NOW - 900_000]],
] as const)("the period %s is compared with the one before", (name, [start, end], [before, until]) => {
  const period = periodOf(name, NOW);
  expect(period).toEqual({ start, end });
  expect(periodBefore(name, period)).toEqual({ start: before, end: until });
});

test("a chosen part of time is compared with the same time just before", () => {
  expect(periodBefore(null, { start: 100, end: 130 })).toEqual({ start: 70, end: 100 });
});

test("the axis of a long period names days, that of a day hours", () => {
  expect(axisName(NOW, { start: NOW - 7 * DAY, end: NOW })).toBe("Nov 25");
  expect(axisName(NOW, { start: MIDNIGHT, end: NOW })).toMatch(/20/);
});

test("period and filters are read from the address, and values that cannot be used fall back", () => {
  const get = address(`model=gpt-5&failed=maybe&period=7d&account=${"x".repeat(300)}`);
  expect(filtersOf(get)).toEqual({ model: "gpt-5" });
  expect([nameOfPeriod(get), nameOfPeriod(address("period=year")), nameOfPeriod(address(""))]).toEqual([
    "7d",
    "24h",
    "24h",
  ]);
  const own = address("start=10&end=20&period=7d&failed=true");
  expect([nameOfPeriod(own), chosenPeriod(own, NOW)]).toEqual([null, { start: 10, end: 20 }]);
  expect(selectionOf(own)).toEqual({ start: "10", end: "20", failed: "true" });
  expect(nameOfPeriod(address("start=1&end=99999999999999999999"))).toBe("24h");
});

test("names are shown by alias or label, and missing ones in words", () => {
  const client = shownNames("client", new Map([["f1", "Web app"]]));
  expect([client("f1"), client("0123456789"), client("")]).toEqual(["Web app", "01234567…", "(no client key)"]);
  expect(shownNames("failure", new Map())("")).toBe("Success");
  expect(shownNames("account", new Map())("4", "relay")).toBe("relay");
});

test("a group leads to its requests; requests without a failure are those that succeeded", () => {
  expect([filterOf("model", "gpt-5"), filterOf("failure", ""), filterOf("none", "")]).toEqual([
    { model: "gpt-5" },
    { failed: "false" },
    {},
  ]);
});

const points = (requests: number[], usd: (string | null)[] = requests.map(String)) => ({
  requests,
  usd,
  failed: requests.map(() => 1),
  tokens: requests,
  partial: requests.map(() => true),
});
const answer = (names: string[]): SeriesAnswer => ({
  length: "1h",
  starts: [0, HOUR],
  end: 2 * HOUR,
  totals: { ...points([90, 9]), p50: [1, null], p95: [2, null] },
  groups: names.map((name) => ({ name, label: "", points: points([10, 1]) })),
  leftOff: 0,
  gaps: [],
  prunedBefore: 0,
});
const shown = shownNames("model", new Map());

test("a model keeps its color when its rank changes", () => {
  const book = withColors({}, ["gpt-5", "claude"]);
  const colorsOf = (names: string[]) =>
    Object.fromEntries(
      seriesOf(answer(names), "usd", shown, withColors(book, names)).map(({ name, color }) => [name, color]),
    );
  const before = colorsOf(["gpt-5", "claude"]);
  expect(colorsOf(["gemini", "claude", "gpt-5"])).toMatchObject(before);
});

test("groups beyond those with a color are one series, and together all reach the total", () => {
  const series = seriesOf(answer(["a", "b", "c", "d", "e", "f", "g", "h"]), "requests", shown, {});
  expect(series.map(({ name }) => name).slice(-2)).toEqual(["g", "All others"]);
  expect(series.reduce((sum, { values }) => sum + (values[0] ?? 0), 0)).toBe(90);
});

test("an unknown cost is no zero, and a cost with parts unknown is marked", () => {
  const totals = { ...answer([]).totals, ...points([3, 0], [null, null]) };
  const [series] = seriesOf({ ...answer([]), totals }, "usd", shown, {});
  expect([series.values, series.partial]).toEqual([
    [null, 0],
    [true, true],
  ]);
  expect(seriesOf(answer([]), "tokens", shown, {})[0].partial).toBeUndefined();
});

test("requests that succeeded and failed add up", () => {
  expect(outcomeSeries(answer([])).map(({ values }) => values[0])).toEqual([1, 89]);
});

test.each([
  ["429 rate_limit", "wait"],
  ["402 payment", "wait"],
  ["401 invalid_api_key", "dead"],
  ["403", "dead"],
  ["500 server_error", "provider"],
  ["0 timeout", "provider"],
  ["400 bad_request", "unknown"],
  ["canceled", "unknown"],
])("the color of %s says who has to act", (failure, tone) => {
  expect(toneOfFailure(failure)).toBe(tone);
});

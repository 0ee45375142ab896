import { beforeEach, expect, test } from "vitest";
import type { FiguresView, SummaryAnswer, TokensView } from "../../connection/api.js";
import { speakEnglish } from "../../testing/english.js";
import { collectionState, failedText, measureOf, ranksOf, tilesOf } from "./model.js";
import type { Usage } from "./read_usage.js";

beforeEach(speakEnglish);

const figures = (requests: number, usd: string | null, more: Partial<FiguresView> = {}): FiguresView => ({
  requests,
  failed: requests / 10,
  unclassified: 0,
  inconsistent: 0,
  tokens: { total: requests * 1000 } as TokensView,
  usd,
  partial: false,
  unpriced: 0,
  incomplete: 0,
  latency: { p50: 2100, p90: null, p95: 5600, p99: null },
  ...more,
});
const summary = (totals: FiguresView, more: Partial<SummaryAnswer> = {}): SummaryAnswer => ({
  start: 0,
  end: 10,
  totals,
  groups: [],
  leftOff: 0,
  series: [],
  heat: [],
  gaps: [],
  prunedBefore: 0,
  ...more,
});
const COLLECTION = {
  source: "subscription",
  recording: true,
  supported: true,
  problem: "",
  problems: [],
  coveredUntil: 1,
  stored: 0,
  duplicates: 0,
  unreadable: 0,
  letters: [],
};
const usage = (more: Partial<Usage> = {}): Usage => ({
  by: "client",
  period: { start: 0, end: 10 },
  filters: {},
  summary: summary(figures(1680, "58.59")),
  before: summary(figures(1800, "29")),
  series: {} as Usage["series"],
  failures: { accounts: [{ name: "3", label: "spare-key", requests: 10, failed: 3, reasons: [] }] },
  collection: COLLECTION,
  aliases: new Map(),
  ...more,
});
const GAP = { id: 1, start: 1, end: 2, kind: "down", missing: null };

test("each tile has its figure, its change and what is beside it", () => {
  expect(tilesOf(usage()).map(({ value, notes }) => [value, ...notes])).toEqual([
    ["$58.59", "+102 % vs. the period before"],
    ["1,680", "−7 % vs. the period before", "1.7M tokens"],
    ["10 %", "168 requests", "mostly spare-key"],
    ["2.10 s / 5.60 s", "p50 / p95", "±0 % vs. the period before"],
  ]);
});

test("beside a gap figures are lower bounds, and are not compared", () => {
  const [cost, requests] = tilesOf(usage({ summary: summary(figures(10, "1"), { gaps: [GAP] }) }));
  expect([cost.value, cost.notes, requests.value, requests.notes]).toEqual(["≥ $1.00", [], "≥ 10", ["≥ 10K tokens"]]);
  const [whole] = tilesOf(usage({ before: summary(figures(10, "1"), { gaps: [GAP] }) }));
  expect([whole.value, whole.notes]).toEqual(["$58.59", []]);
});

test("requests without a price make the cost a lower bound and are counted beside it", () => {
  const [cost] = tilesOf(usage({ summary: summary(figures(10, "1", { unpriced: 2 })) }));
  expect([cost.value, cost.notes.at(-1)]).toEqual(["≥ $1.00", "2 requests without a price"]);
});

const GROUPS = [
  { name: "a", label: "", figures: figures(10, "1") },
  { name: "b", label: "", figures: figures(5, "3") },
];
test.each([
  ["usd", ["b", "a"], ["$3.00", "$1.00"], [75, 25], [100, 100 / 3]],
  ["requests", ["a", "b"], ["10", "5"], [50, 25], [100, 50]],
  ["tokens", ["a", "b"], ["10K", "5K"], [50, 25], [100, 50]],
  ["latency", ["a", "b"], ["5.60 s", "5.60 s"], [null, null], [100, 100]],
] as const)("ranks by %s have the largest first, with their share", (measure, names, values, shares, lengths) => {
  const ranks = ranksOf(usage({ summary: summary(figures(20, "4"), { groups: GROUPS }) }), measure);
  expect(ranks.map(({ name }) => name)).toEqual(names);
  expect(ranks.map(({ value }) => value)).toEqual(values);
  expect(ranks.map(({ share }) => share)).toEqual(shares);
  expect(ranks.map(({ length }) => length)).toEqual(lengths);
});

test("without a measure in the address the cost is shown, or requests where none has a price", () => {
  expect([measureOf("", usage()), measureOf("tokens", usage()), measureOf("weight", null)]).toEqual([
    "usd",
    "tokens",
    "usd",
  ]);
  expect(measureOf("", { summary: summary(figures(1, null)) })).toBe("requests");
});

test("failed requests stand with their share", () => {
  expect(failedText({ name: "", label: "", requests: 328, failed: 99, reasons: [] }, true)).toBe("≥ 99 (30.2 %)");
});

test.each([
  [{}, "Collected by subscription", false, false],
  [{ recording: false }, "The gateway does not record usage", true, true],
  [{ problem: "no connection" }, "Usage is not collected at the moment. no connection", true, false],
  [{ supported: false, recording: false }, "This gateway cannot report usage", true, false],
])("the collection %j is told as %j", (more, words, isTrouble, canRecord) => {
  const state = collectionState({ ...COLLECTION, ...more });
  expect(state.words.slice(0, words.length)).toBe(words);
  expect([state.isTrouble, state.canRecord]).toEqual([isTrouble, canRecord]);
});

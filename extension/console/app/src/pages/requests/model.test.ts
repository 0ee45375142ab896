import { beforeEach, expect, test } from "vitest";
import type { ExplanationAnswer, FiguresView, SummaryAnswer, TokensView, UsageView } from "../../connection/api.js";
import { speakEnglish } from "../../testing/english.js";
import { toneOfFailure } from "../../usage/failures.js";
import { chipsOf, costNotes, costText, factsOf, idOf, offered, parseId, searched, timeText, withNew } from "./model.js";
import type { Names } from "./read_requests.js";

beforeEach(speakEnglish);

const request = (seq: number, more: Partial<UsageView> = {}): UsageView => ({
  seq,
  at: 1000 + seq,
  account: "4",
  client: "f1",
  model: "gpt-5",
  alias: "gpt-5",
  provider: "openai",
  endpoint: "POST /v1/chat/completions",
  tier: "",
  failure: "",
  status: 200,
  latencyMs: 1500,
  ttftMs: 0,
  requestId: "ed83",
  tokens: { total: 9 } as TokensView,
  quality: "complete",
  usd: "0.5",
  partial: false,
  priceVersion: "",
  searches: 0,
  hidden: 0,
  digest: "",
  ...more,
});
const figures = (requests: number, failed = 0) => ({ requests, failed }) as FiguresView;
const group = (name: string, label = "", requests = 1) => ({ name, label, figures: figures(requests, requests) });
const NAMES: Names = {
  groups: { model: [group("gpt-5"), group("")], account: [group("4", "relay-frankfurt")], client: [group("f1")] },
  aliases: new Map([["f1", "Web app"]]),
};

test("the id of a request is its place, by which it is read again", () => {
  expect(idOf(request(7))).toBe("1007-7");
  expect([parseId("1007-7"), parseId("7"), parseId("a-b"), parseId("")]).toEqual([
    { at: 1007, seq: 7 },
    null,
    null,
    null,
  ]);
});

const ROWS = [
  request(3, { failure: "429 rate_limit_exceeded", status: 429 }),
  request(2, { requestId: "ab12" }),
  request(1),
];
test.each([
  ["", [3, 2, 1]],
  ["rate_limit", [3]],
  ["WEB frankfurt", [3, 2, 1]],
  ["ab12", [2]],
  ["200 gpt-5", [2, 1]],
  ["claude", []],
])("a search for %j finds rows by anything that is shown of them", (words, seqs) => {
  expect(searched(ROWS, words, NAMES).map(({ seq }) => seq)).toEqual(seqs);
});

test("new requests stand on top, each once, and the list has an end", () => {
  expect(withNew(ROWS, [request(5), request(3)]).map(({ seq }) => seq)).toEqual([5, 3, 2, 1]);
  const many = Array.from({ length: 1500 }, (_, index) => request(9000 - index));
  expect(withNew(ROWS, many)).toHaveLength(1000);
});

test("chips count all requests, failed ones, and the most frequent failures", () => {
  const groups = [group("", "", 90), group("429 rate_limit", "", 8), group("500", "", 2)];
  const chips = chipsOf({ totals: figures(100, 10), groups } as unknown as SummaryAnswer, toneOfFailure);
  expect(chips.map(({ label, count, tone }) => [label, count, tone])).toEqual([
    ["All", 100, "unknown"],
    ["Failed", 10, "dead"],
    ["Success", 90, "good"],
    ["429 rate_limit", 8, "wait"],
    ["500", 2, "provider"],
  ]);
  expect(chips.map(({ filters }) => Object.values(filters).join("|"))).toEqual([
    "|",
    "true|",
    "false|",
    "|429 rate_limit",
    "|500",
  ]);
});

test("a choice offers the names of the period, and the one in force although the period has it not", () => {
  expect(offered(NAMES, "account", "")).toEqual([{ name: "4", label: "relay-frankfurt" }]);
  expect(offered(NAMES, "model", "o9").map(({ name }) => name)).toEqual(["o9", "gpt-5"]);
  expect(offered(null, "client", "0123456789")).toEqual([{ name: "0123456789", label: "01234567…" }]);
});

test("a cost is unknown, exact, or a lower bound", () => {
  expect([costText(request(1)), costText(request(1, { partial: true })), costText(request(1, { usd: null }))]).toEqual([
    "$0.50",
    "≥ $0.50",
    "unknown",
  ]);
});

test("a request of today stands with its time, an earlier one with its day", () => {
  const now = Date.UTC(2026, 10, 25, 14, 20);
  expect(timeText(now - 61_000, now)).toMatch(/^0?2:18:59|^14:18:59/);
  expect(timeText(now - 86_400_000, now)).toMatch(/^Nov 24, /);
});

test("facts without a value are left out, and names lead to their requests", () => {
  const facts = factsOf(request(1, { failure: "500 server_error", alias: "best" }), NAMES);
  expect(facts.filter(({ by }) => by).map(({ by, value }) => [by, value])).toEqual([
    ["failure", "500 server_error"],
    ["model", "gpt-5"],
    ["account", "relay-frankfurt"],
    ["client", "Web app"],
    ["provider", "openai"],
  ]);
  expect(facts.map(({ label }) => label)).toContain("Requested as");
  expect(factsOf(request(1), NAMES).map(({ label }) => label)).not.toContain("Requested as");
});

const explanation = (more: Partial<ExplanationAnswer> = {}) =>
  ({ prices: [], unpriced: [], leftOff: 0, prunedBefore: 0, ...more }) as ExplanationAnswer;
test("why a cost is free, partial or unknown is told beside it", () => {
  const missing = { provider: "", model: "m", serviceTier: "", requests: 1, tokens: 1, pricedNow: true };
  const unpriced = [{ ...missing, reason: "no_price" as const }];
  expect(costNotes(request(1, { usd: null }), explanation({ unpriced }))[0]).toMatch(/No price list.*A price is known/);
  expect(costNotes(request(1, { usd: "0", failure: "401" }), explanation())).toEqual([
    "The request was refused before the model began, so it cost nothing.",
  ]);
  expect(costNotes(request(1, { partial: true, quality: "unclassified" }), explanation())).toHaveLength(2);
});

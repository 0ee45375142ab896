import { beforeEach, expect, test } from "vitest";
import type { CostPartView, PriceUseView, UnpricedUseView } from "../connection/api.js";
import { formatUsd } from "../language/amounts.js";
import { speakEnglish } from "../testing/english.js";
import { costLines, costLinesOfPrice, priceNotes, priceTitle, unpricedTexts } from "./cost_parts.js";

beforeEach(speakEnglish);

const NO_TOKENS = {
  input: 0,
  cacheRead: 0,
  cacheWrite5M: 0,
  cacheWrite1H: 0,
  output: 0,
  reasoning: 0,
  audioIn: 0,
  audioOut: 0,
  imageIn: 0,
  imageOut: 0,
  total: 0,
};

function use(parts: CostPartView[], facts: Partial<PriceUseView> = {}): PriceUseView {
  return {
    version: "d5a8a8eb1a39c78e",
    source: "built_in",
    provider: "openai",
    model: "gpt-5",
    serviceTier: "standard",
    validFrom: null,
    assumed: false,
    above: null,
    requests: 1,
    incomplete: 0,
    unclassified: 0,
    usd: "0",
    hidden: [],
    rounding: "0.000000000000",
    parts,
    ...facts,
  };
}

const MILLION = 1_000_000;
const PARTS: CostPartView[] = [
  { unit: "input", count: 8911, amount: "1.25", per: MILLION, rateOf: "input", usd: "0.011138750000" },
  { unit: "output", count: 1801, amount: "10", per: MILLION, rateOf: "output", usd: "0.018010000000" },
  { unit: "reasoning", count: 1591, amount: "10", per: MILLION, rateOf: "output", usd: "0.015910000000" },
];
const TOKENS = { ...NO_TOKENS, input: 8911, output: 1801, reasoning: 1591, total: 12_303 };
const WHOLE = { tokens: TOKENS, partial: false };
const inTrillionths = (amount: string) => Math.round(Number(amount.replace("$", "")) * 1e8);

test("the shown parts of a cost add up to its shown total", () => {
  const { lines, total } = costLines(WHOLE, use(PARTS));
  expect(lines.map(({ name, cost }) => [name, cost])).toEqual([
    ["Input", "$0.011"],
    ["Output", "$0.034"],
  ]);
  expect(total?.cost).toBe("$0.045");
  expect(lines.reduce((sum, { cost }) => sum + inTrillionths(cost), 0)).toBe(inTrillionths(total?.cost ?? ""));
});

test("an explanation is as exact as the number that it explains", () => {
  const parts: CostPartView[] = [
    { unit: "input", count: 2000, amount: "0.15", per: MILLION, rateOf: "input", usd: "0.000300000000" },
    { unit: "output", count: 100, amount: "0.6", per: MILLION, rateOf: "output", usd: "0.000060000000" },
  ];
  const tokens = { ...NO_TOKENS, input: 2000, output: 100, total: 2100 };
  const { lines, total } = costLines({ tokens, partial: false }, use(parts));
  expect(total?.cost).toBe(formatUsd("0.00036"));
  expect(lines.map(({ cost }) => cost)).toEqual(["$0.00030", "$0.00006"]);
});

test("reasoning that is billed as output is part of the output, and is named there", () => {
  expect(costLines(WHOLE, use(PARTS)).lines[1]).toEqual({
    name: "Output",
    note: "including 1,591 reasoning",
    count: "3,392",
    rate: "$10.00 per million",
    cost: "$0.034",
  });
});

test("reasoning without other output is output, and reasoning with a rate of its own is not", () => {
  const only = costLines({ tokens: { ...NO_TOKENS, reasoning: 1591 }, partial: false }, use([PARTS[2]]));
  expect(only.lines.map(({ name, count }) => [name, count])).toEqual([["Output", "1,591"]]);

  const own: CostPartView = { ...PARTS[2], amount: "20", rateOf: "reasoning", usd: "0.031820000000" };
  const { lines } = costLines(WHOLE, use([PARTS[0], PARTS[1], own]));
  expect(lines.map(({ name }) => name)).toEqual(["Input", "Output", "Reasoning"]);
});

test("tokens without a price are shown beside the parts, and the total is a lower bound", () => {
  const tokens = { ...TOKENS, audioIn: 7, total: 12_310 };
  const { lines, total } = costLines({ tokens, partial: true }, use(PARTS));
  expect(lines[2]).toEqual({ name: "Audio in", note: "", count: "7", rate: "no price", cost: "unknown" });
  expect(total?.cost).toBe("≥ $0.045");
});

test("a request without a price has its tokens and an unknown total, one without tokens has no table", () => {
  const { lines, total } = costLines(WHOLE, undefined);
  expect(lines.map(({ name, cost }) => [name, cost])).toEqual([
    ["Input", "unknown"],
    ["Output", "unknown"],
    ["Reasoning", "unknown"],
  ]);
  expect(total?.cost).toBe("unknown");
  expect(costLines({ tokens: NO_TOKENS, partial: false }, use([]))).toEqual({ lines: [], total: null });
});

test("the lines of a price count each token once, and images not as tokens", () => {
  const images: CostPartView = { unit: "images", count: 2, amount: "1", per: 1, rateOf: "images", usd: "2" };
  expect(costLinesOfPrice(use([...PARTS, images], { unclassified: 7 })).total?.count).toBe("12,310");
});

test("a price is named with its list, its requests and what was taken for granted", () => {
  expect(priceTitle(use(PARTS, { requests: 3, usd: "1.5" }))).toBe("Price of gpt-5: Built-in list. 3 requests, $1.50");
  expect(priceTitle(use([], { source: null }))).toMatch(/^The request was refused/);
  expect(priceNotes(use(PARTS, { assumed: true, above: 200_000 }))).toHaveLength(2);
});

test("requests without a known cost that are told alike are counted together", () => {
  const missing: UnpricedUseView = {
    provider: "relay",
    model: "house-model",
    serviceTier: "standard",
    requests: 2,
    tokens: 9,
    reason: "no_price",
    pricedNow: false,
  };
  const texts = unpricedTexts([missing, { ...missing, provider: "other" }, { ...missing, reason: "not_reported" }]);
  expect(texts.map(({ words }) => words.slice(0, 10))).toEqual(["4 requests", "2 requests"]);
});

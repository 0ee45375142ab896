import assert from "node:assert/strict";
import test from "node:test";

import { formatUsd } from "../../extension/console/static/usage/amounts.js";
import { costLines } from "../../extension/console/static/usage/cost_parts.js";
import { speakEnglish } from "./english.js";

Object.defineProperty(globalThis, "navigator", { value: { languages: ["en-US"] }, configurable: true });
speakEnglish();

/** @import { CostPartView, PriceUseView } from "../../extension/console/_generated_types.js" */

const NO_TOKENS = {
  input: 0, cacheRead: 0, cacheWrite5M: 0, cacheWrite1H: 0, output: 0, reasoning: 0, audioIn: 0, audioOut: 0,
  imageIn: 0, imageOut: 0, total: 0,
};

/**
 * @param {CostPartView[]} parts
 * @param {Partial<PriceUseView>} [facts]
 * @returns {PriceUseView}
 */
function use(parts, facts = {}) {
  return {
    version: "d5a8a8eb1a39c78e", source: "built_in", provider: "openai", model: "gpt-5", serviceTier: "standard",
    validFrom: null, assumed: false, above: null, requests: 1, incomplete: 0, unclassified: 0, usd: "0",
    hidden: [], rounding: "0.000000000000", parts, ...facts,
  };
}

/** @type {CostPartView[]} */
const PARTS = [
  { unit: "input", count: 8911, amount: "1.25", per: 1_000_000, rateOf: "input", usd: "0.011138750000" },
  { unit: "output", count: 1801, amount: "10", per: 1_000_000, rateOf: "output", usd: "0.018010000000" },
  { unit: "reasoning", count: 1591, amount: "10", per: 1_000_000, rateOf: "output", usd: "0.015910000000" },
];
const TOKENS = { ...NO_TOKENS, input: 8911, output: 1801, reasoning: 1591, total: 12_303 };

/** @param {string} amount */
const inTenThousandths = (amount) => Math.round(Number(amount.replace("$", "")) * 1e8);

test("the shown parts of a cost add up to its shown total", () => {
  const { lines, total } = costLines({ tokens: TOKENS, usd: "0.04505875", partial: false }, use(PARTS));

  assert.deepEqual(lines.map(({ name, cost }) => [name, cost]), [["Input", "$0.011"], ["Output", "$0.034"]]);
  assert.equal(total?.cost, "$0.045");
  assert.equal(lines.reduce((sum, { cost }) => sum + inTenThousandths(cost), 0), inTenThousandths(total?.cost ?? ""));
});

test("an explanation is as exact as the number that it explains", () => {
  /** @type {CostPartView[]} */
  const parts = [
    { unit: "input", count: 2000, amount: "0.15", per: 1_000_000, rateOf: "input", usd: "0.000300000000" },
    { unit: "output", count: 100, amount: "0.6", per: 1_000_000, rateOf: "output", usd: "0.000060000000" },
  ];
  const tokens = { ...NO_TOKENS, input: 2000, output: 100, total: 2100 };
  const { lines, total } = costLines({ tokens, usd: "0.00036", partial: false }, use(parts));

  assert.equal(total?.cost, formatUsd("0.00036"));
  assert.deepEqual(lines.map(({ cost }) => cost), ["$0.00030", "$0.00006"]);
});

test("reasoning that is billed as output is part of the output", () => {
  const { lines } = costLines({ tokens: TOKENS, usd: "0.04505875", partial: false }, use(PARTS));

  assert.deepEqual(lines[1], {
    name: "Output", note: "including 1,591 reasoning", count: "3,392", rate: "$10.00 per million", cost: "$0.034",
  });
});

test("reasoning without other output is output, and reasoning with a rate of its own is not", () => {
  const only = costLines({ tokens: { ...NO_TOKENS, reasoning: 1591 }, usd: "0", partial: false }, use([PARTS[2]]));
  assert.deepEqual(only.lines.map(({ name, count }) => [name, count]), [["Output", "1,591"]]);

  /** @type {CostPartView} */
  const own = { ...PARTS[2], amount: "20", rateOf: "reasoning", usd: "0.031820000000" };
  const { lines } = costLines({ tokens: TOKENS, usd: "0", partial: false }, use([PARTS[0], PARTS[1], own]));
  assert.deepEqual(lines.map(({ name }) => name), ["Input", "Output", "Reasoning"]);
});

test("tokens without a price are shown beside the parts, and the total is a least amount", () => {
  const tokens = { ...TOKENS, audioIn: 7, total: 12_310 };
  const { lines, total } = costLines({ tokens, usd: "0.04505875", partial: true }, use(PARTS));

  assert.deepEqual(lines[2], { name: "Audio in", note: "", count: "7", rate: "no price", cost: "unknown" });
  assert.equal(total?.cost, "≥ $0.045");
});

test("a request without a price has its tokens and an unknown total", () => {
  const { lines, total } = costLines({ tokens: TOKENS, usd: null, partial: false }, undefined);

  assert.deepEqual(lines.map(({ name, cost }) => [name, cost]),
    [["Input", "unknown"], ["Output", "unknown"], ["Reasoning", "unknown"]]);
  assert.equal(total?.cost, "unknown");
});

test("a request without tokens has no table", () => {
  assert.deepEqual(costLines({ tokens: NO_TOKENS, usd: "0", partial: false }, use([])), { lines: [], total: null });
});

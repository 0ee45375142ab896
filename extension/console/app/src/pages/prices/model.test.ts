import { beforeEach, expect, test } from "vitest";
import type { QuoteView, StoredPriceView } from "../../connection/api.js";
import { speakEnglish } from "../../testing/english.js";
import { amountOf, flawOf, inView, otherRates, ratesOf, rateText, rowsOf } from "./model.js";

const MILLION = 1_000_000;
const rate = (amount: string, per = MILLION) => ({ amount, per, above: [] });
const OWN: StoredPriceView = {
  id: 7,
  provider: "",
  model: "house-model",
  serviceTier: "standard",
  validFrom: null,
  rates: { input: rate("2") },
  source: "override",
  note: "",
  setBy: "page",
  setAt: 0,
};
const LISTED: QuoteView = {
  provider: "openai",
  model: "gpt-5",
  source: "built_in",
  serviceTier: "standard",
  validFrom: null,
  rates: { input: rate("1.25"), searches: rate("10", 1000) },
};
const PRICES = {
  answer: { prices: [OWN], builtIn: "1", found: [] },
  found: [LISTED, { ...LISTED, source: "override" as const }],
  unpriced: ["new-model"],
};

beforeEach(speakEnglish);

test("models without a price are on top, and each row has an address that stays", () => {
  expect(rowsOf(PRICES, "").map(({ id }) => id)).toEqual([
    "unpriced:new-model",
    "own:7",
    "list|openai|standard||gpt-5",
  ]);
});

test("a search finds rows by model and provider, and a view shows one kind", () => {
  expect(rowsOf(PRICES, "OpenAI/GPT").map(({ model }) => model)).toEqual(["gpt-5"]);
  expect(inView(rowsOf(PRICES, ""), "own").map(({ model }) => model)).toEqual(["house-model"]);
  expect(inView(rowsOf(PRICES, ""), "all")).toHaveLength(3);
});

test("rates are sorted for the same number of tokens, and read with theirs", () => {
  expect(amountOf({ rates: { input: rate("3", 1000) } }, "input")).toBe(3000);
  expect(amountOf({ rates: {} }, "input")).toBeNull();
  expect([rateText(rate("0.125")), rateText(rate("10", 1000)), rateText(null)]).toEqual([
    "$0.125",
    "$10.00 / 1,000",
    "–",
  ]);
});

test("rates without a column, and those that rise with the tokens, are named in the drawer", () => {
  const rates = { ...LISTED.rates, output: { ...rate("10"), above: [{ tokens: 200_000, amount: "15" }] } };
  expect(otherRates({ rates })).toEqual([
    { unit: "Searches", rate: "$10.00 / 1,000" },
    { unit: "Output", rate: "$10.00; $15.00 above 200,000 tokens" },
  ]);
});

const flawed = (fields: Record<string, string>, model = "gpt-5") => {
  const flaw = flawOf({ model, rates: ratesOf(fields, {}) });
  return flaw ? [flaw.field, flaw.message] : null;
};

test.each(["0", "0.15", "2", "0,5", "0,125", "1,25", "1000000"])("%s is an amount", (amount) => {
  expect(flawed({ output: amount })).toBeNull();
});

test.each(["abc", "1,250", "1,250,000", "-1", "1e3", "1.2.3", "$2", "1000001", "99999999", "1."])(
  "%s is refused in words that name its field",
  (amount) => {
    const message = "Output: enter an amount in US dollars such as 0.15, from 0 to 1,000,000.";
    expect(flawed({ input: "1", output: amount })).toEqual(["rates.output", message]);
  },
);

test("a price without an amount, and one of a name with a star within, are refused", () => {
  expect(flawed({})).toEqual(["rates.input", "Enter at least one amount."]);
  expect(flawed({ input: "1" }, "gpt*5")?.[0]).toBe("model");
  expect(flawed({ input: "1" }, "gpt-5*")).toBeNull();
});

test("rates that the form does not show stay as they are", () => {
  expect(ratesOf({ input: "1.25", output: "9" }, LISTED.rates)).toEqual({
    searches: rate("10", 1000),
    input: rate("1.25"),
    output: rate("9"),
  });
});

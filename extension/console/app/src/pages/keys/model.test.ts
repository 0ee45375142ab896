import { beforeEach, expect, test } from "vitest";
import type { FiguresView, GroupView } from "../../connection/api.js";
import { speakEnglish } from "../../testing/english.js";
import { budgetSpend, budgetTitle, rowsOf, shortOf, spendText, titleOf } from "./model.js";

const figures = (values: Partial<FiguresView>) => ({ requests: 10, usd: "1.5", unpriced: 0, ...values }) as FiguresView;
const group = (name: string): GroupView => ({ name, label: "", figures: figures({}) });
const KEYS = {
  clientKeys: {
    supported: true,
    keys: [
      { fingerprint: "b".repeat(64), hint: "sk-b…9f3c" },
      { fingerprint: "d".repeat(64), hint: "sk-d…0a1b" },
    ],
    actions: [],
    undoable: [],
  },
  aliases: [
    { fingerprint: "b".repeat(64), alias: "team", setBy: "page", setAt: 0 },
    { fingerprint: "c".repeat(64), alias: "retired", setBy: "page", setAt: 0 },
  ],
  groups: [group("a".repeat(64)), group(""), group("b".repeat(64))],
  lastTimes: new Map([["b".repeat(64), 1_795_000_000_000]]),
};

beforeEach(speakEnglish);

test("a row is a key that was used, is accepted or has a name; requests without a key are none", () => {
  const shown = rowsOf(KEYS).map(({ fingerprint, name, isAccepted, lastAt }) => [
    fingerprint[0],
    name,
    isAccepted,
    lastAt,
  ]);
  expect(shown).toEqual([
    ["a", "", false, null],
    ["b", "team", true, 1_795_000_000_000],
    ["d", "", true, null],
    ["c", "retired", false, null],
  ]);
  const unsupported = { ...KEYS, clientKeys: { ...KEYS.clientKeys, supported: false, keys: [] } };
  expect(rowsOf(unsupported).map(({ isAccepted }) => isAccepted)).toEqual([null, null, null]);
});

test("keys are found by a part of name, hint or fingerprint", () => {
  expect(rowsOf(KEYS, " TEA").map(titleOf)).toEqual(["team"]);
  expect(rowsOf(KEYS, "aaa").map(titleOf)).toEqual([shortOf("a".repeat(64))]);
  expect(rowsOf(KEYS, "0a1b").map(titleOf)).toEqual(["sk-d…0a1b"]);
});

test.each([
  [null, false, "$0.00"],
  [null, true, "≥ $0.00"],
  [figures({}), false, "$1.50"],
  [figures({ unpriced: 2 }), false, "≥ $1.50"],
  [figures({ unpriced: 2, usd: "0" }), false, "unknown"],
  [figures({ usd: null }), false, "unknown"],
])("figures %j with missing records: %j, have the spend %j", (sum, isPartial, words) => {
  expect(spendText(sum, isPartial)).toBe(words);
});

test.each([
  [
    { scope: "all", subject: "", name: "" },
    { spent: "1.5", amount: "50", atLeast: false },
    "Everything: $1.50 of $50.00",
  ],
  [
    { scope: "client", subject: "f".repeat(16), name: "anna" },
    { spent: "60", amount: "50", atLeast: true },
    "Client key anna: ≥ $60.00 of $50.00",
  ],
] as const)("the budget of %j with %j reads %j", (of, sums, words) => {
  expect(`${budgetTitle(of)}: ${budgetSpend(sums)}`).toBe(words);
});

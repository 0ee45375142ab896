import { expect, test } from "vitest";
import { ApiProblem } from "../connection/problem.js";
import { stacked } from "./chart/chart_data.js";
import { COLORS, withColors } from "./color_book.js";
import { refusalOf } from "./refusal.js";

test("a name keeps its color whatever stands beside it, and new names take a free one", () => {
  const book = withColors({}, ["gpt-5", "claude"]);
  const later = withColors(book, ["gemini", "claude", "gpt-5"]);
  expect([later["gpt-5"], later.claude]).toEqual([book["gpt-5"], book.claude]);
  expect(new Set(Object.values(later)).size).toBe(3);
});

test("more names than colors share them, and the book has an end", () => {
  const names = Array.from({ length: 300 }, (_, index) => `model-${index}`);
  const book = withColors({}, names.slice(0, 9));
  expect(new Set(Object.values(book))).toEqual(new Set(COLORS));
  expect(Object.keys(withColors(book, names))).toHaveLength(200);
});

test("stacked series reach to the sum of themselves and those after them; a missing value adds nothing", () => {
  const series = [{ values: [1, null] }, { values: [2, 3] }];
  expect(stacked([1000, 2000], series).columns).toEqual([
    [1, 2],
    [3, 3],
    [2, 3],
  ]);
  expect(stacked([1000, 2000], series, false).columns[1]).toEqual([1, null]);
});

test.each([
  ["model", "model"],
  ["rates.input.amount", "rates.input"],
  ["other", ""],
])("a refusal of the field %s stands at %j", (field, name) => {
  const problem = new ApiProblem({ message: "No.", code: "bad_price", status: 400, field, hint: "Yes." });
  expect(refusalOf(problem, ["model", "rates", "rates.input"])).toEqual({ [name]: "No. Yes." });
});

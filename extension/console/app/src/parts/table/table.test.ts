import { expect, test } from "vitest";
import { fittingColumns, nextOrder, sortedRows, type Column } from "./columns.js";
import { rangeOf, stateOf, withRows } from "./selection.js";

interface Row {
  name: string;
  amount: number | null;
}

const COLUMNS: Column<Row>[] = [
  { id: "name", title: "Name", least: 200, sortBy: ({ name }) => name, cell: () => null },
  { id: "amount", title: "Amount", width: 100, sortBy: ({ amount }) => amount, cell: () => null },
  { id: "host", title: "Host", width: 150, rank: 2, cell: () => null },
  { id: "trend", title: "Trend", width: 120, rank: 1, cell: () => null },
];
const ROWS: Row[] = [
  { name: "key 10", amount: 2 },
  { name: "Key 9", amount: null },
  { name: "key 1", amount: 10 },
];

test.each([
  [600, ["name", "amount", "host", "trend"]],
  [569, ["name", "amount", "host"]],
  [449, ["name", "amount"]],
  [200, ["name", "amount"]],
])("%i pixels have room for %j", (room, ids) => {
  expect(fittingColumns(COLUMNS, room).map(({ id }) => id)).toEqual(ids);
});

test.each([
  ["", ["key 10", "Key 9", "key 1"]],
  ["name", ["key 1", "Key 9", "key 10"]],
  ["name.desc", ["key 10", "Key 9", "key 1"]],
  ["amount", ["key 10", "key 1", "Key 9"]],
  ["amount.desc", ["key 1", "key 10", "Key 9"]],
  ["host", ["key 10", "Key 9", "key 1"]],
  ["nothing", ["key 10", "Key 9", "key 1"]],
])("rows in the order %j, those without a value last", (order, names) => {
  expect(sortedRows(ROWS, COLUMNS, order).map(({ name }) => name)).toEqual(names);
});

test("a head sorts up, then down, then not at all", () => {
  expect(["", "name", "name.desc", "amount"].map((order) => nextOrder(order, "name"))).toEqual([
    "name",
    "name.desc",
    "",
    "name",
  ]);
});

test("a range goes from the row picked last to this one, in the order shown", () => {
  const ids = ["5", "3", "9", "1"];
  expect(rangeOf(ids, "9", "5")).toEqual(["5", "3", "9"]);
  expect(rangeOf(ids, null, "3")).toEqual(["3"]);
  expect(rangeOf(ids, "gone", "3")).toEqual(["3"]);
});

test("a selection says whether all, none or some of the rows are in it", () => {
  const selection = withRows(withRows(new Set(), ["1", "2"], true), ["2"], false);
  expect([stateOf(selection, ["1"]), stateOf(selection, ["1", "2"]), stateOf(selection, ["2"])]).toEqual([
    "all",
    "some",
    "none",
  ]);
});

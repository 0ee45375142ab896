import assert from "node:assert/strict";
import test from "node:test";

import { drawColumns } from "../../extension/console/static/pictures/columns.js";
import { limited, MOST_POINTS } from "../../extension/console/static/pictures/drawing.js";
import { movedTo, spotAt } from "../../extension/console/static/pictures/reading.js";
import { placed, ticks } from "../../extension/console/static/pictures/scale.js";
import { drawStackedBar, widths } from "../../extension/console/static/pictures/stacked_bar.js";
import { speakEnglish } from "./english.js";

speakEnglish();

/** @import { Drawing, Point } from "../../extension/console/static/pictures/drawing.js" */

const SIZE = { width: 600, height: 160 };
const AWKWARD = [[], [0], [5], [0, 0, 0], [1, 2, 3], [1e-9, 3], [1e300, 5, 0], [Number.MAX_VALUE, 1], [7, NaN, 2]];

/** @param {(number | null)[][]} rows values of each point */
function series(rows) {
  const count = rows[0]?.length ?? 1;
  /** @type {Point[]} */
  const points = rows.map((values, index) => (
    { label: `hour ${index}`, mark: `${index}:00`, values, texts: values.map(String), gap: index === 1 }
  ));
  const names = Array.from({ length: count }, (_, index) => (
    { name: `series ${index}`, fill: { tone: String(index + 1), pattern: index } }
  ));
  return { points, series: names, format: String, gapText: "records may be missing" };
}

/** @param {Drawing} drawing */
function assertInside({ width, height, marks, spots }) {
  for (const { attributes } of marks) {
    for (const [name, value] of Object.entries(attributes)) {
      if (typeof value === "number") assert.ok(Number.isFinite(value), `${name} is ${value}`);
      if (name === "d") assert.doesNotMatch(String(value), /NaN|Infinity/);
    }
    const { x, y, width: wide, height: high } = attributes;
    if (wide === undefined) continue;
    assert.ok(Number(x) >= -0.01 && Number(x) + Number(wide) <= width + 0.1, `${x} + ${wide} is within ${width}`);
    assert.ok(Number(y) >= -0.01 && Number(y) + Number(high) <= height + 0.1, `${y} + ${high} is within ${height}`);
  }
  for (const spot of spots) assert.ok(Number.isFinite(spot.x + spot.y + spot.width + spot.height));
}

test("ticks begin at 0, are round, and reach the largest value", () => {
  assert.deepEqual(ticks(10), [0, 2.5, 5, 7.5, 10]);
  assert.deepEqual(ticks(3, 4, true), [0, 1, 2, 3]);
  assert.deepEqual(ticks(970), [0, 250, 500, 750, 1000]);
  for (const most of [0.00007, 0.3, 1, 7, 99, 12345, 8.1e9, 1e300, Number.MAX_VALUE]) {
    const found = ticks(most);
    assert.equal(found[0], 0);
    assert.ok(found.length <= 6, `${found.length} ticks for ${most}`);
    assert.ok(found[found.length - 1] >= Math.min(most, 1e300) * 0.999999, `${found} reaches ${most}`);
    assert.ok(found.every((each, index) => index === 0 || each > found[index - 1]));
  }
});

test("an axis without values above 0 ends at 1", () => {
  for (const most of [0, -3, NaN]) assert.deepEqual(ticks(most), [0, 1]);
});

test("a value is placed within its axis, whatever it is", () => {
  for (const value of [null, undefined, NaN, -5, 0, 3, 10, 1e308, Infinity]) {
    const place = placed(value, 10, 200);
    assert.ok(place >= 0 && place <= 200);
  }
  assert.equal(placed(5, 10, 200), 100);
  assert.equal(placed(5, 0, 200), 0);
});

test("names at the axis never overlap, and one that goes on is written once", () => {
  const points = Array.from({ length: 300 }, (_, index) => (
    { label: "", mark: `${Math.floor(index / 24)} Nov`, values: [1], texts: ["1"] }
  ));
  const { marks } = drawColumns({ ...series([[1]]), points }, SIZE);
  const names = marks.filter(({ tag, attributes }) => tag === "text" && attributes["text-anchor"] === "middle");
  assert.ok(names.length > 5 && new Set(names.map(({ text }) => text)).size === names.length);
  names.slice(1).forEach(({ attributes }, index) => {
    assert.ok(Number(attributes.x) - Number(names[index].attributes.x) > 30);
  });
});

test("columns stay within their picture for any values", () => {
  for (const values of AWKWARD) {
    assertInside(drawColumns(series(values.map((value) => [value, value])), SIZE));
    assertInside(drawColumns(series(values.map((value) => [value])), { width: 1, height: 1 }));
  }
});

test("a picture draws at most 400 points, the newest", () => {
  const many = Array.from({ length: 1000 }, (_, index) => [index]);
  const drawn = drawColumns(series(many), SIZE);
  assert.equal(drawn.spots.length, MOST_POINTS);
  assert.equal(drawn.spots.at(-1)?.label, "hour 999");
  assert.equal(limited([1, 2, 3]).length, 3);
});

test("the columns of one point stand on each other and reach its sum", () => {
  const drawn = drawColumns(series([[1, 3], [2, 2]]), SIZE);
  const areas = drawn.marks.filter(({ fill }) => fill).map(({ attributes }) => attributes);
  assert.equal(areas.length, 4);
  assert.equal(Number(areas[1].y) + Number(areas[1].height), Number(areas[0].y));
  assert.ok(Math.abs(Number(areas[1].height) - 3 * Number(areas[0].height)) < 0.1);
});

test("a gap is drawn as an area of its own and read aloud", () => {
  const drawn = drawColumns(series([[1], [2], [3]]), SIZE);
  assert.equal(drawn.marks.filter(({ attributes }) => attributes.class === "gap").length, 1);
  assert.deepEqual(drawn.spots.map(({ text }) => text), [
    "series 0: 1", "series 0: 2 · records may be missing", "series 0: 3",
  ]);
});

test("parts of a bar fill it, and the smallest can still be seen", () => {
  for (const values of [[1], [1, 1], [1, 9999], [0, 3, 0], [1, 1, 1, 1e12], Array.from({ length: 50 }, () => 1)]) {
    const found = widths(values, 600);
    assert.ok(Math.abs(found.reduce((sum, each) => sum + each, 0) - 600) < 1e-6, `${values.length} parts`);
    found.forEach((width, index) => assert.ok(values[index] > 0 ? width >= 2.99 : width === 0));
  }
  assert.deepEqual(widths([0, 0], 600), [0, 0]);
  assert.deepEqual(widths([], 600), []);
});

test("a bar without values draws nothing", () => {
  const part = { name: "healthy", value: 0, text: "0", fill: { tone: "good", pattern: 0 } };
  assert.deepEqual(drawStackedBar([part], SIZE).marks, []);
});

test("arrow keys move between values and stop at the ends", () => {
  assert.equal(movedTo("ArrowRight", 0, 3, 1), 1);
  assert.equal(movedTo("ArrowRight", 2, 3, 1), 2);
  assert.equal(movedTo("ArrowLeft", 0, 3, 1), 0);
  assert.equal(movedTo("ArrowDown", 1, 168, 24), 25);
  assert.equal(movedTo("ArrowUp", 25, 168, 24), 1);
  assert.equal(movedTo("End", 0, 168, 24), 167);
  assert.equal(movedTo("Home", 5, 168, 24), 0);
  assert.equal(movedTo("a", 5, 168, 24), null);
  assert.equal(movedTo("End", 0, 0, 1), null);
});

test("the pointer finds the value beneath it", () => {
  const { spots } = drawColumns(series([[1], [2]]), SIZE);
  const [first, second] = spots;
  assert.equal(spotAt(spots, first.x + 1, first.y + 1), 0);
  assert.equal(spotAt(spots, second.x + 1, second.y + 1), 1);
  assert.equal(spotAt(spots, -1, -1), -1);
});

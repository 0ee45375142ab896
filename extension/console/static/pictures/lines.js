/** Lines over time, interrupted where a value is unknown. Pure. */

import { plotOf, spotsOf } from "./axes.js";
import { limited, short } from "./drawing.js";
import { drawable, placed } from "./scale.js";

/** @import { Drawing, Mark } from "./drawing.js" */
/** @import { SeriesPicture } from "./columns.js" */

/**
 * Return the unbroken parts of a line as lists of places; an unknown value ends a part.
 *
 * @param {readonly (number | null)[]} values
 * @returns {number[][]} indexes
 */
export function unbroken(values) {
  /** @type {number[][]} */
  const parts = [];
  values.forEach((value, index) => {
    if (value === null || Number.isNaN(value)) return;
    const last = parts.at(-1);
    if (last && last[last.length - 1] === index - 1) last.push(index);
    else parts.push([index]);
  });
  return parts;
}

/**
 * Draw one line for each series; a value between two unknown ones is a dot.
 *
 * @param {SeriesPicture} picture
 * @param {{width: number, height: number}} size
 * @returns {Drawing}
 */
export function drawLines(picture, size) {
  const points = limited(picture.points);
  const most = Math.max(0, ...points.flatMap(({ values }) => values.map(drawable)));
  const plot = plotOf(points, most, size, picture);
  const marks = [...plot.marks];
  picture.series.forEach(({ fill }, place) => {
    const values = points.map((point) => point.values[place]);
    const spot = (/** @type {number} */ index) => [
      short(plot.left + (index + 0.5) * plot.step),
      short(plot.top + plot.height - placed(values[index], plot.most, plot.height)),
    ];
    for (const part of unbroken(values)) {
      const path = part.map((index) => spot(index).join(" "));
      /** @type {Mark} */
      const line = {
        tag: "path", attributes: { class: `line tone-${fill.tone} dash-${fill.pattern}`, d: `M${path.join("L")}` },
      };
      const [x, y] = spot(part[0]);
      const dot = { class: `dot tone-${fill.tone}`, cx: x, cy: y, r: 2.5 };
      marks.push(part.length > 1 ? line : { tag: "circle", attributes: dot });
    }
  });
  const names = picture.series.map(({ name }) => name);
  return { ...size, marks, spots: spotsOf(points, names, plot, picture.gapText), stride: 1 };
}

/** SVG nodes of a drawing. Colors come from classes, patterns from definitions inside the picture. */

import { short } from "./drawing.js";

/** @import { Drawing, Fill, Mark } from "./drawing.js" */

const SPACE = "http://www.w3.org/2000/svg";
const CELL = 6;

/** Lines over the color of a pattern, in a square of 6 units: one for each status. The first pattern is plain. */
const PATTERNS = /** @type {const} */ ([
  "",
  "M0 6L6 0",
  "M0 0L6 6",
  "M0 3H6",
  "M3 0V6",
  "M0 6L6 0M0 0L6 6",
  "M2 2H4V4H2Z",
  "M0 3H6M3 0V6",
  "M3 .5V5.5M.5 3H5.5",
  "M0 1.5H6M0 4.5H6",
  "M1.5 0V6M4.5 0V6",
  "M0 4.5L3 1.5L6 4.5",
  "M3 0L6 3L3 6L0 3Z",
  "M0 .7H6M0 3.7H6M1 .7V3.7M4 3.7V6.7",
  "M.7 3H3.7",
  "M1.5 .5V3.5M4.5 3.5V6.5",
]);

/** Number of patterns that can be told apart. */
export const PATTERN_COUNT = PATTERNS.length;

/** Patterned areas of a picture that are elements of their own: paper repeats the pattern for each element. */
const MOST_AREAS = 40;
let pictures = 0;

/**
 * Build an SVG element.
 *
 * @param {string} tag
 * @param {Record<string, string | number>} [attributes]
 * @param {...(Node | string)} children
 * @returns {SVGElement}
 */
export function svgElement(tag, attributes = {}, ...children) {
  const node = document.createElementNS(SPACE, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, String(value));
  node.append(...children);
  return node;
}

/**
 * Build the nodes of a drawing.
 *
 * @param {Drawing} drawing
 * @param {boolean} [stretched] the picture fills its room without keeping its proportions
 * @returns {SVGElement}
 */
export function svgOf({ width, height, marks }, stretched = false) {
  pictures += 1;
  const definitions = new Definitions(`picture-${pictures}`);
  const isSimple = marks.filter(({ fill }) => fill).length <= MOST_AREAS;
  const nodes = (isSimple ? marks : joined(marks)).map(({ tag, attributes, text, fill }) => {
    const painted = fill ? {
      ...attributes, fill: definitions.reference(fill),
      class: ["patterned", `tone-${fill.tone}`, attributes?.class].filter(Boolean).join(" "),
    } : attributes;
    return svgElement(tag, painted, ...(text === undefined ? [] : [text]));
  });
  return svgElement("svg", {
    viewBox: `0 0 ${short(Math.max(width, 1))} ${short(Math.max(height, 1))}`,
    width: "100%",
    height: short(Math.max(height, 1)),
    preserveAspectRatio: stretched ? "none" : "xMinYMin meet",
    "aria-hidden": "true",
    focusable: "false",
  }, definitions.node, ...nodes);
}

/**
 * Join the areas of each color and pattern into one path. A document of a thousand patterned bars would be a hundred
 * megabytes large.
 *
 * @param {Mark[]} marks
 * @returns {Mark[]}
 */
function joined(marks) {
  /** @type {Map<string, Mark>} */
  const paths = new Map();
  return marks.flatMap((mark) => {
    const { tag, fill, attributes: { x, y, width, height, ...rest } } = mark;
    if (!fill || tag !== "rect") return [mark];
    const key = JSON.stringify([fill, rest]);
    const area = `M${x} ${y}h${width}v${height}h-${width}z`;
    const known = paths.get(key);
    if (known) {
      known.attributes.d += area;
      return [];
    }
    /** @type {Mark} */
    const path = { tag: "path", fill, attributes: { ...rest, d: area } };
    paths.set(key, path);
    return [path];
  });
}

/** Patterns of one picture, each defined when it is first used. */
class Definitions {
  /** @type {Set<string>} */ #known = new Set();

  /** @param {string} prefix of the ids */
  constructor(prefix) {
    this.prefix = prefix;
    this.node = svgElement("defs");
  }

  /**
   * @param {Fill} fill
   * @returns {string}
   */
  reference({ tone, pattern }) {
    const lines = PATTERNS[pattern % PATTERN_COUNT];
    const id = `${this.prefix}-${tone}-${pattern % PATTERN_COUNT}`;
    if (!this.#known.has(id)) {
      this.#known.add(id);
      this.node.append(svgElement(
        "pattern", { id, width: CELL, height: CELL, patternUnits: "userSpaceOnUse" },
        svgElement("rect", { class: `ground tone-${tone}`, width: CELL, height: CELL }),
        ...(lines ? [svgElement("path", { class: "hatch", d: lines })] : []),
      ));
    }
    return `url(#${id})`;
  }
}

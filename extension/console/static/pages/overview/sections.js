/** Sections of the overview, each built from what is known so far: what is still waited for is said in its place. */

import { element } from "../../dom.js";
import { text } from "../../language/catalogue.js";
import { tile } from "../../layout/tile.js";
import { attentionTile, automationTile, blindTile } from "./findings.js";
import { healthTile, hostTile, trendTile } from "./health.js";
import { hasLooked } from "./last_look.js";

/**
 * @import { AutomationAnswer, CollectionAnswer, OverviewAnswer, SeriesAnswer, SummaryAnswer }
 *     from "../../../_generated_types.js"
 * @import { PageContext } from "../../shell/context.js"
 * @typedef {object} Known
 * @property {OverviewAnswer} [pool]
 * @property {AutomationAnswer} [automation]
 * @property {CollectionAnswer} [collection]
 * @property {SummaryAnswer} [summary]
 * @property {SeriesAnswer} [series]
 * @property {OverviewAnswer["runs"]} [runs] of the service, without the gateway
 */

/** Builds the sections again whenever more is known; one whose inputs are the same stays as it is, with its focus. */
export class Sections {
  /** @type {Map<string, {inputs: unknown[], node: HTMLElement}>} */ #built = new Map();

  /**
   * @param {PageContext} context
   * @param {(summary: SummaryAnswer, series: SeriesAnswer) => HTMLElement} usageTile
   */
  constructor(context, usageTile) {
    this.context = context;
    this.usageTile = usageTile;
  }

  /**
   * @param {Known} known
   * @param {boolean} isOver whether nothing more comes of this reading
   */
  of({ pool, automation, collection, summary, series, runs }, isOver) {
    const { context } = this;
    const gaps = summary?.gaps;
    /** @type {(title: string, how?: {wide?: boolean, isSpoken?: boolean}) => () => HTMLElement} */
    const wait = (title, { wide = false, isSpoken = false } = {}) => () => tile(title, { wide },
      element("p", { text: text("overview.waiting"), attributes: isSpoken ? { role: "status" } : {} }));
    const nodes = [
      this.#section("health", [pool], pool ? () => healthTile(pool, context)
        : wait(text("overview.health"), { wide: true, isSpoken: true })),
      this.#section("attention", [pool], pool ? () => attentionTile(pool, context) : wait(text("overview.attention"))),
      this.#section("automation", [pool, automation], () =>
        automationTile(pool, automation, context, hasLooked())),
      this.#section("blind", [pool, collection, gaps], () => blindTile(pool, collection, gaps, context)),
      this.#usage(summary, series, isOver),
      this.#section("trend", [pool ?? runs], () => {
        const shown = pool?.runs ?? runs;
        return shown ? trendTile({ runs: shown }, context) : wait(text("overview.trend"))();
      }),
      this.#section("hosts", [pool], pool ? () => hostTile(pool, context)
        : wait(text("overview.hosts"), { wide: true })),
    ];
    return nodes.filter((node) => node !== null);
  }

  /**
   * @param {SummaryAnswer | undefined} summary
   * @param {SeriesAnswer | undefined} series
   * @param {boolean} isOver
   */
  #usage(summary, series, isOver) {
    if (summary && series) return this.#section("usage", [summary, series], () => this.usageTile(summary, series));
    if (isOver) return null;
    return this.#section("usage", [], () => tile(text("overview.usage"), { wide: true },
      element("p", { text: text("overview.waiting_service") })));
  }

  /**
   * @param {string} name
   * @param {unknown[]} inputs
   * @param {() => HTMLElement} build
   */
  #section(name, inputs, build) {
    const built = this.#built.get(name);
    const isSame = built?.inputs.length === inputs.length && inputs.every((input, at) => input === built.inputs[at]);
    if (built && isSame) return built.node;
    const node = build();
    this.#built.set(name, { inputs, node });
    return node;
  }
}

/** Comparison with a public price list: differences, preview and takeover. */

import { explained, isSignedOut } from "../../connection/problem.js";
import { element } from "../../dom.js";
import { text } from "../../language/catalogue.js";
import { actsOnce } from "../../layout/once.js";
import { choice } from "../../layout/tile.js";
import { differenceRows, priceTable } from "./price_rows.js";

/** @import { ModelDifferenceView, PriceSource, SyncAnswer } from "../../../_generated_types.js" */
/** @import { PageContext } from "../../shell/context.js" */

const LISTS = /** @type {const} */ ({ litellm: "LiteLLM", models_dev: "models.dev" });
const MOST_ROWS = 200;

/** Section that compares the prices in force with a public list. */
export class ListComparison {
  /** @type {PriceSource} */ #list = "litellm";
  /** @type {Set<string>} */ #chosen = new Set();

  /**
   * @param {PageContext} context
   * @param {() => Promise<void>} onApplied
   */
  constructor(context, onApplied) {
    this.context = context;
    this.onApplied = onApplied;
    this.result = element("div", { class: "comparison", attributes: { role: "status" } });
    this.button = element("button", { class: "plain", text: text("prices.preview"), attributes: { type: "button" },
      on: { click: () => this.preview() } });
    const options = /** @type {[PriceSource, string][]} */ (Object.entries(LISTS));
    this.node = element("section", { class: "panel wide", attributes: { "aria-label": text("prices.compare") } },
      element("h2", { text: text("prices.compare") }),
      element("p", { class: "hint", text: text("prices.compare_hint") }),
      element("div", { class: "filters" },
        choice("price-list", text("prices.list"), options, this.#list,
          (list) => { this.#list = /** @type {PriceSource} */ (list); }),
        this.button),
      this.result);
  }

  async preview() {
    if (this.button.disabled) return;
    this.button.disabled = true;
    this.result.textContent = text("prices.reading");
    try {
      this.#chosen.clear();
      this.#show(await this.context.client.post("../model-prices/sync", { list: this.#list }));
      this.context.notices.clear("prices");
    } catch (problem) {
      if (isSignedOut(problem)) this.result.replaceChildren();
      else this.#fail(problem);
    } finally {
      this.button.disabled = false;
    }
  }

  /**
   * Say what went wrong where the preview would stand: the top of the page may be out of sight.
   *
   * @param {unknown} problem
   */
  #fail(problem) {
    const { message, hint } = explained(problem);
    this.result.replaceChildren(element("div", { class: "problem", attributes: { role: "alert" } },
      element("p", { text: message }), element("p", { class: "hint", text: hint })));
  }

  /** @param {SyncAnswer} answer */
  #show(answer) {
    const take = actsOnce(element("button", {
      class: "primary", text: text("prices.take", { n: 0 }), attributes: { type: "button", disabled: true },
    }), () => this.#take(answer));
    const said = text("prices.compared", { compared: answer.compared, n: answer.differing, added: answer.new });
    const differing = this.#table(text("prices.differences"), answer.differences, answer.differing, take);
    const added = this.#table(text("prices.additions"), answer.additions, answer.new, take);
    this.result.replaceChildren(
      element("p", { text: said }),
      ...(differing.length || added.length ? [element("p", { class: "buttons" }, take)] : []), ...differing,
      ...(added.length ? [element("details", { attributes: { id: "price-additions" } },
        element("summary", { text: text("prices.additions_count", { n: answer.new }) }), ...added)] : []));
  }

  /**
   * Table of models whose prices can be taken over, with the number of those that are left out.
   *
   * @param {string} title
   * @param {ModelDifferenceView[]} models
   * @param {number} all
   * @param {HTMLButtonElement} take
   */
  #table(title, models, all, take) {
    const shown = models.slice(0, MOST_ROWS);
    if (!shown.length) return [];
    const heads = [
      text("prices.choose"), text("prices.model"), text("prices.unit"), text("prices.ours"), text("prices.theirs"),
        text("prices.factor"),
    ];
    const rows = shown.flatMap((difference) => differenceRows(difference, this.#box(difference, take)));
    const cut = all > shown.length
      ? [element("p", { class: "hint", text: text("prices.cut", { n: shown.length }) })] : [];
    return [priceTable(heads, title, rows), ...cut];
  }

  /**
   * @param {ModelDifferenceView} model
   * @param {HTMLButtonElement} take
   */
  #box({ provider, model }, take) {
    const name = provider ? [provider, model].join("/") : model;
    return element("input", {
      attributes: { type: "checkbox", "aria-label": text("prices.take_one", { model: name }) },
      on: {
        change: (event) => {
          if (/** @type {HTMLInputElement} */ (event.target).checked) this.#chosen.add(name);
          else this.#chosen.delete(name);
          take.disabled = this.#chosen.size === 0;
          take.textContent = text("prices.take", { n: this.#chosen.size });
        },
      },
    });
  }

  /** @param {SyncAnswer} answer */
  async #take({ revision, list }) {
    try {
      await this.context.client.post("../model-prices/sync", { list, apply: true, revision,
        models: [...this.#chosen] });
      await Promise.all([this.onApplied(), this.preview()]);
    } catch (problem) {
      if (!isSignedOut(problem)) this.context.notices.showProblem("prices", problem);
    }
  }
}

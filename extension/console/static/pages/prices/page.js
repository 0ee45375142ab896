import { isSignedOut } from "../../connection/problem.js";
import { element } from "../../dom.js";
import { clipped } from "../../formatting.js";
import { text } from "../../language/catalogue.js";
import { refillRows } from "../../layout/row_focus.js";
import { tile } from "../../layout/tile.js";
import { refreshOn } from "../../shell/live_refresh.js";
import { ListComparison } from "./list_comparison.js";
import { priceDialog } from "./price_form.js";
import { priceTable, quoteRow, storedRow, unpricedRow } from "./price_rows.js";

/** @import { PricesAnswer, QuoteView, StoredPriceView } from "../../../_generated_types.js" */
/** @import { PageContext } from "../../shell/context.js" */

const LIMIT = 100;
const USED_MODELS = 8;
const MONTH = 30 * 24 * 3_600_000;
const EMPTY = { model: "", provider: "", serviceTier: "standard", validFrom: null, rates: {}, note: "" };

/**
 * Mount the page of prices.
 *
 * @type {import("../../shell/router.js").Mount}
 */
export async function mount(root, context) {
  const page = new PricesPage(root, context);
  await page.refresh();
  return () => page.leave();
}

/** Prices of one's own, prices in force, and the comparison with public lists. */
class PricesPage {
  #left = false;
  #asked = 0;

  /**
   * @param {HTMLElement} root
   * @param {PageContext} context
   */
  constructor(root, context) {
    this.context = context;
    this.root = root;
    const { query } = context;
    this.search = element("input", { attributes: { id: "price-search", type: "search", maxlength: 200,
      value: query.get("search") } });
    const form = element("form", {
      class: "panel filters", attributes: { role: "search" },
      on: {
        submit: (event) => {
          event.preventDefault();
          query.set({ search: this.search.value.trim() }, { push: true });
          this.refresh();
        },
      },
    },
    element("div", { class: "field grow" },
      element("label", { text: text("prices.search"), attributes: { for: "price-search" } }), this.search),
    element("button", { class: "plain", text: text("prices.find"), attributes: { type: "submit" } }),
    element("button", {
      class: "primary", text: text("prices.add"), attributes: { type: "button" },
        on: { click: () => this.#edit(EMPTY) },
    }));
    this.body = element("div", { class: "tiles" });
    this.comparison = new ListComparison(context, () => this.refresh());
    this.heading = element("h1", { text: text("pages.prices"), attributes: { tabindex: -1 } });
    /** @type {{search: string, node: HTMLElement} | null} prices in force that were read last */ this.inForce = null;
    root.append(this.heading, form, this.body,
      element("div", { class: "tiles" }, this.comparison.node));
    this.stop = refreshOn(context.live, ["price", "reload"], this.body, () => this.refresh());
    query.addEventListener("change", () => {
      this.search.value = query.get("search");
      this.refresh();
    });
  }

  leave() {
    this.#left = true;
    this.stop();
  }

  async refresh() {
    const { client, notices, query } = this.context;
    this.#asked += 1;
    const asked = this.#asked;
    try {
      const search = query.get("search");
      const answer = await client.get("../model-prices", { search, limit: LIMIT });
      if (this.#left || asked !== this.#asked) return;
      const stored = this.#stored(answer);
      // What was there stays while it is read again: it takes seconds where many models are in use.
      const before = this.inForce?.search === search ? [this.inForce.node] : [];
      refillRows(this.body, [stored, ...before], this.heading);
      const { found, unpriced } = search ? { found: answer.found, unpriced: [] } : await this.#used(answer);
      if (this.#left || asked !== this.#asked) return;
      this.inForce = { search, node: this.#inForce(answer, found, unpriced, search) };
      refillRows(this.body, [stored, this.inForce.node], this.heading);
      notices.clear("prices");
    } catch (problem) {
      if (!this.#left && !isSignedOut(problem)) notices.showProblem("prices", problem);
    }
  }

  /**
   * Prices in force of the models in use lately, and the models among them that have none.
   *
   * @param {PricesAnswer} answer
   */
  async #used({ prices }) {
    const { client } = this.context;
    const end = Date.now();
    const { groups } = await client.get("../usage/summary", { start: end - MONTH, end, by: "model",
      limit: USED_MODELS });
    const names = groups.map(({ name }) => name).filter((name) => name.trim());
    const answers = await Promise.all(names.map((name) => (
      client.get("../model-prices", { search: name.slice(0, 200), limit: LIMIT })
        .then(({ found }) => found.filter(({ model }) => model === name)))));
    const own = new Set(prices.map(({ model }) => model));
    return { found: answers.flat(), unpriced: names.filter((name, at) => !answers[at].length && !own.has(name)) };
  }

  /** @param {PricesAnswer} answer */
  #stored({ prices }) {
    const heads = [text("prices.model"), text("prices.rates"), text("prices.valid_from"), text("prices.source"),
      text("prices.actions")];
    const title = text("prices.own");
    const rows = prices.map((price) => storedRow(price, (each) => this.#edit(each), (each) => this.#remove(each)));
    if (!rows.length) return tile(title, { wide: true }, element("p", { text: text("prices.none") }));
    return tile(title, { wide: true }, element("p", { class: "hint", text: text("prices.rerate_hint") }),
      priceTable(heads, title, rows));
  }

  /**
   * @param {PricesAnswer} answer
   * @param {QuoteView[]} found
   * @param {string[]} unpriced models in use without a price
   * @param {string} search
   */
  #inForce({ builtIn }, found, unpriced, search) {
    const title = search ? text("prices.found") : text("prices.in_use");
    const heads = [text("prices.model"), text("prices.rates"), text("prices.valid_from"), text("prices.source"),
      text("prices.actions")];
    const rows = [
      ...unpriced.map((model) => unpricedRow(model, () => this.#edit({ ...EMPTY, model }))),
      ...found.map((quote) => quoteRow(quote, (each) => this.#edit({ ...each, note: "" }))),
    ];
    const none = search ? text("prices.not_found") : text("prices.no_usage");
    return tile(title, { wide: true },
      element("p", { class: "hint", text: text("prices.built_in", { version: builtIn }) }),
      rows.length ? priceTable(heads, title, rows) : element("p", { text: none }));
  }

  /** @param {Pick<StoredPriceView, "model" | "provider" | "serviceTier" | "validFrom" | "rates" | "note">} price */
  #edit(price) {
    const dialog = priceDialog(price, async (wanted) => {
      await this.context.client.put("../model-prices", wanted);
      this.refresh(); // not awaited: the form closes as soon as the price is stored
    });
    this.root.append(dialog);
    dialog.showModal();
  }

  /** @param {StoredPriceView} price */
  async #remove(price) {
    const { client, notices } = this.context;
    const { model, provider, serviceTier, validFrom, rates, note } = price;
    try {
      await client.delete("../model-prices", { price: price.id });
      notices.show("price-removed", {
        text: text("prices.removed", { model: clipped(model) }), isToast: true,
        action: {
          label: text("prices.restore"),
          act: () => notices.attempt("prices", async () => {
            await client.put("../model-prices", { model, provider, serviceTier, validFrom, rates, note });
            await this.refresh();
          }),
        },
      });
      await this.refresh();
    } catch (problem) {
      if (!isSignedOut(problem)) this.context.notices.showProblem("prices", problem);
    }
  }
}

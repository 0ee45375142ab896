import { isSignedOut } from "../../connection/problem.js";
import { element } from "../../dom.js";
import { clipped } from "../../formatting.js";
import { text } from "../../language/catalogue.js";
import { actsOnce, submitsOnce } from "../../layout/once.js";
import { isRefused, Refusal } from "../../layout/refusal.js";
import { refillRows } from "../../layout/row_focus.js";
import { pageAddress } from "../../layout/tile.js";
import { refreshOn } from "../../shell/live_refresh.js";
import { costOf, leastCount, leastShort } from "../../usage/amounts.js";
import { costButton } from "../../usage/cost_dialog.js";
import { explainSum } from "../../usage/cost_question.js";

/** @import { AliasView, FiguresView } from "../../../_generated_types.js" */
/** @import { PageContext } from "../../shell/context.js" */

const MONTH = 30 * 24 * 3_600_000;
const LIMIT = 1_000;
const SHORT = 12;
/** Figures of a key without requests, which cost nothing. */
const NOT_USED = { usd: null, unpriced: 0, requests: 0 };

/**
 * Mount the page of client keys.
 *
 * @type {import("../../shell/router.js").Mount}
 */
export async function mount(root, context) {
  const page = new KeysPage(root, context);
  await page.refresh();
  return () => page.leave();
}

/** Client keys that were used lately or have an alias, with their usage. */
class KeysPage {
  #left = false;

  /**
   * @param {HTMLElement} root
   * @param {PageContext} context
   */
  constructor(root, context) {
    this.root = root;
    this.context = context;
    /** @type {(fingerprint: string, subject: string, sum: FiguresView) => unknown} */
    this.explain = () => {};
    this.rows = element("tbody");
    this.empty = element("p", { text: text("keys.empty"), attributes: { hidden: true } });
    /** @type {[name: string, kind: string][]} */
    const heads = [
      [text("keys.fingerprint"), ""], [text("keys.alias"), ""], [text("usage.requests"), "number"],
      [text("usage.failed"), "number"], [text("usage.tokens"), "number"], [text("usage.cost"), "number"],
      [text("keys.actions"), ""],
    ];
    const table = element("div", { class: "scroll", attributes: { tabindex: 0, role: "region",
      "aria-label": text("pages.keys") } },
      element("table", { class: "plain-table cards" },
        element("thead", {}, element("tr", {}, ...heads.map(([name, kind]) => element("th", {
          class: kind, text: name, attributes: { scope: "col" } })))),
        this.rows));
    this.stop = refreshOn(context.live, ["alias", "price", "reload"], this.rows, () => this.refresh());
    this.heading = element("h1", { text: text("pages.keys"), attributes: { tabindex: -1 } });
    root.append(this.heading, this.#form(),
      element("div", { class: "panel" },
        element("p", { class: "hint", text: text("keys.hint") }), table, this.empty));
  }

  leave() {
    this.#left = true;
    this.stop();
  }

  async refresh() {
    const { client, notices } = this.context;
    const end = Date.now();
    try {
      const period = { start: end - MONTH, end };
      const [{ aliases }, { groups, gaps }] = await Promise.all([
        client.get("../api-key-aliases"),
        client.get("../usage/summary", { ...period, by: "client", limit: LIMIT }),
      ]);
      if (this.#left) return;
      const used = new Map(groups.filter(({ name }) => name).map(({ name, figures }) => [name, figures]));
      const named = new Map(aliases.map((alias) => [alias.fingerprint, alias]));
      const all = [...new Set([...used.keys(), ...named.keys()])];
      const typed = this.#typed();
      const isPartial = gaps.length > 0;
      this.explain = (fingerprint, subject, sum) =>
        explainSum(this.context, this.root, { ...period, client: fingerprint }, { subject, sum, isPartial });
      const rows = all.map((each) => this.#row(each, named.get(each), used.get(each), isPartial));
      refillRows(this.rows, rows, this.heading);
      for (const input of this.rows.querySelectorAll("input")) {
        const alias = typed.get(input.id);
        if (alias !== undefined && alias.trim() !== input.value) input.value = alias;
      }
      this.empty.hidden = all.length > 0;
      notices.clear("keys");
    } catch (problem) {
      if (!this.#left && !isSignedOut(problem)) notices.showProblem("keys", problem);
    }
  }

  /** Aliases that are typed and not saved, by the id of their field: a refresh leaves them there. */
  #typed() {
    const inputs = [...this.rows.querySelectorAll("input")];
    return new Map(inputs.filter((each) => each.value !== each.defaultValue).map(({ id, value }) => [id, value]));
  }

  /** @param {string} said what became of an alias, each time it is saved */
  #tell(said) {
    this.context.notices.clear("alias");
    this.context.notices.show("alias", { text: said, isToast: true });
  }

  #form() {
    const alias = element("input", { attributes: { id: "alias-name", required: true, maxlength: 100 } });
    const key = element("input", {
      attributes: { id: "alias-key", type: "password", autocomplete: "off", required: true, maxlength: 1000,
        spellcheck: "false" },
    });
    /**
     * @param {HTMLInputElement} input
     * @param {string} label
     */
    const field = (input, label) => element("div", { class: "field grow" },
      element("label", { text: label, attributes: { for: input.id } }), input);
    const form = element("form", {
      class: "panel filters", attributes: { "aria-label": text("keys.name_key") },
    },
    field(key, text("keys.key")), field(alias, text("keys.alias")),
    element("button", { class: "primary", text: text("keys.save"), attributes: { type: "submit" } }),
    element("p", { class: "hint", text: text("keys.key_hint") }));
    const refusal = new Refusal(form, { alias, key });
    submitsOnce(form, async () => {
      if (await this.#put({ alias: alias.value, key: key.value }, refusal)) form.reset();
    });
    return form;
  }

  /**
   * @param {{alias: string, key?: string, fingerprint?: string}} body
   * @param {Refusal} refusal of the form or the row
   */
  async #put(body, refusal) {
    refusal.clear();
    try {
      await this.context.client.put("../api-key-aliases", body);
      this.#tell(text("keys.saved", { alias: clipped(body.alias.trim()) }));
      await this.refresh();
      return true;
    } catch (problem) {
      if (isRefused(problem)) refusal.show(problem);
      else if (!isSignedOut(problem)) this.context.notices.showProblem("keys", problem);
      return false;
    }
  }

  /**
   * @param {string} fingerprint
   * @param {AliasView | undefined} alias
   * @param {FiguresView | undefined} figures
   * @param {boolean} isPartial whether records may be missing
   */
  #row(fingerprint, alias, figures, isPartial) {
    const short = `${fingerprint.slice(0, SHORT)}…`;
    const input = element("input", {
      attributes: { id: `alias-${fingerprint}`, value: alias?.alias ?? "", maxlength: 100,
        "aria-label": text("keys.alias_of", { key: short }), placeholder: text("keys.unnamed") },
    });
    const cell = element("div", { class: "field" }, input);
    const refusal = new Refusal(cell, { alias: input });
    const save = actsOnce(element("button", {
      class: "plain small", text: text("keys.save"),
      attributes: { id: `save-${fingerprint}`, type: "button", "aria-label": text("keys.save_of", { key: short }) },
    }), () => (input.value.trim()
      ? this.#put({ alias: input.value, fingerprint }, refusal) : this.#remove(fingerprint, alias)));
    const href = pageAddress("requests", { client: fingerprint, period: "30d" });
    return element("tr", {},
      element("th", { attributes: { scope: "row" } }, element("code", { text: short,
        attributes: { title: fingerprint } })),
      element("td", { class: "wrapped" }, cell),
      number("requests", figures
        ? element("a", { text: leastCount(figures.requests, isPartial), attributes: { href } })
        : leastCount(0, isPartial)),
      number("failed", leastCount(figures?.failed ?? 0, isPartial)),
      number("tokens", leastShort(figures?.tokens.total ?? 0, isPartial)),
      number("cost", figures ? costButton(figures,
        () => this.explain(fingerprint, alias?.alias ?? short, figures), isPartial) : costOf(NOT_USED, isPartial)),
      element("td", {}, save));
  }

  /**
   * @param {string} fingerprint
   * @param {AliasView | undefined} alias that the key had
   */
  async #remove(fingerprint, alias) {
    if (!alias) return;
    try {
      await this.context.client.delete("../api-key-aliases", { fingerprint });
      this.#tell(text("keys.removed", { alias: clipped(alias.alias) }));
      await this.refresh();
    } catch (problem) {
      if (!isSignedOut(problem)) this.context.notices.showProblem("keys", problem);
    }
  }
}

/**
 * @param {"requests" | "failed" | "tokens" | "cost"} name
 * @param {Node | string} content
 */
function number(name, content) {
  return element("td", { class: "number", data: { label: text(`usage.${name}`) } }, content);
}

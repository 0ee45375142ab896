import { text } from "../../language/catalogue.js";
import { chooseFamily, switchSource } from "../../settings/stored_settings.js";

/**
 * @import { Source } from "../../../_generated_types.js"
 * @import { PageContext } from "../../shell/context.js"
 * @import { InspectionPage } from "./inspection_page.js"
 */

/** @type {readonly Source[]} */
const SOURCES = ["api_key", "oauth"];

/**
 * Show all accounts of the source that a link names; without one, those of the stored settings stay in view.
 *
 * @param {Pick<PageContext, "query" | "store">} context
 */
export function showLinkedSource({ query, store }) {
  const source = SOURCES.find((each) => each === query.get("source"));
  if (!source) return;
  const { current } = store;
  const switched = source === current.accountSource ? current : switchSource(current, source);
  store.replace({ ...chooseFamily(switched, "all"), providerFilter: "" });
}

/** Run and account in view, kept in the address, so that both can be linked to. */
export class LinkedView {
  #following = false;

  /**
   * @param {PageContext} context
   * @param {InspectionPage} page
   */
  constructor({ query, store, notices }, page) {
    this.query = query;
    this.store = store;
    this.notices = notices;
    this.page = page;
  }

  /**
   * Keep the address and the page together from now on.
   *
   * @param {AbortSignal} signal
   */
  connect(signal) {
    const { query, store, page } = this;
    const { table } = page.accounts;
    table.addEventListener("open", () => this.#note({ account: table.opened ?? "" }));
    page.runView.addEventListener("change", () => this.#note({ run: page.runView.run ?? "" }));
    // A scope of the operator's own is one of the settings, not of the link.
    store.addEventListener("change", () => this.#note({ source: "" }), { signal });
    query.addEventListener("change", () => {
      this.#following = true;
      showLinkedSource(this);
      this.#following = false;
      this.follow();
    });
  }

  /** Show the run and the account of the address. */
  async follow() {
    this.#following = true;
    try {
      const { table } = this.page.accounts;
      const account = numberOf(this.query.get("account"));
      await this.notices.attempt("history", () => this.#showRun(numberOf(this.query.get("run"))));
      if (account !== table.opened) table.open(account);
      if (account !== null) table.reveal(account);
    } finally {
      this.#following = false;
    }
  }

  /** @param {number | null} id */
  async #showRun(id) {
    const { runs, runView } = this.page;
    if (id === runView.run) return;
    if (id !== null && !runs.find(id)) await runs.reload(id);
    const run = id === null ? null : runs.find(id);
    await runView.choose(run);
    if (run === undefined) {
      this.query.set({ run: "" });
      this.notices.show("linked-run", { level: "warning", text: text("results.run_unknown", { run: `${id}` }) });
    }
  }

  /** @param {Record<string, string | number>} changes */
  #note(changes) {
    if (!this.#following) this.query.set(changes);
  }
}

/**
 * Return an id of the address; null for anything else.
 *
 * @param {string} written
 */
function numberOf(written) {
  return /^[1-9]\d{0,14}$/.test(written) ? Number(written) : null;
}

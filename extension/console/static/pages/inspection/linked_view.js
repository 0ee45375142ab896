import { explained } from "../../connection/problem.js";
import { text } from "../../language/catalogue.js";
import { chooseFamily, switchSource } from "../../settings/stored_settings.js";

/**
 * @import { Source } from "../../../_generated_types.js"
 * @import { PageContext } from "../../shell/context.js"
 * @import { InspectionPage } from "./inspection_page.js"
 */

/** Topic of the notice about a run that is gone. */
const UNKNOWN = "linked-run";
/** @type {readonly Source[]} */
const SOURCES = ["api_key", "oauth"];

/** Settings that choose the accounts in view, by their name in the address. */
const SCOPE = /** @type {const} */ ({
  source: "accountSource", family: "targetType", provider: "providerFilter",
});

/**
 * Show the accounts of the source that a link names, all of them unless it names a family or a part of a provider;
 * without a source, those of the stored settings stay in view.
 *
 * @param {Pick<PageContext, "query" | "store">} context
 */
export function showLinkedSource({ query, store }) {
  const source = SOURCES.find((each) => each === query.get("source"));
  if (!source) return;
  const { current } = store;
  const switched = source === current.accountSource ? current : switchSource(current, source);
  const hasKeys = source === "api_key";
  const family = query.get("family");
  const isKnown = hasKeys ? store.families.includes(family) : family !== "" && family.length <= 100;
  const linked = {
    ...chooseFamily(switched, isKnown ? family : "all"), providerFilter: hasKeys ? query.get("provider") : "",
  };
  if (Object.values(SCOPE).some((name) => linked[name] !== current[name])) store.replace(linked);
}

/**
 * Return the accounts in view as an address names them.
 *
 * @param {import("../../settings/fields.js").Settings} settings
 */
function scopeOf({ accountSource, targetType, providerFilter }) {
  const hasKeys = accountSource === "api_key";
  return {
    source: accountSource, family: targetType === "all" ? "" : targetType, provider: hasKeys ? providerFilter : "",
  };
}

/** Accounts, run and account in view, kept in the address, so that each can be linked to. */
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
    this.#note({ ...scopeOf(store.current), account: table.opened ?? "" });
    store.addEventListener("change", (event) => {
      const before = /** @type {CustomEvent} */ (event).detail;
      if (Object.values(SCOPE).every((name) => before[name] === store.current[name])) return;
      this.#note(scopeOf(store.current), { push: true });
    }, { signal });
    query.addEventListener("change", () => {
      this.#following = true;
      showLinkedSource(this);
      this.#following = false;
      this.follow({ isStep: true });
    });
  }

  /**
   * Show the run and the account of the address.
   *
   * @param {{isStep?: boolean}} [how] a step of the history also closes the account that its address does not name;
   *   when the page opens, an account may have been opened before its link was read
   */
  async follow({ isStep = false } = {}) {
    this.#following = true;
    try {
      const { table } = this.page.accounts;
      const account = numberOf(this.query.get("account"));
      await this.notices.attempt("history", () => this.#showRun(numberOf(this.query.get("run"))));
      if (account !== table.opened && (isStep || account !== null)) table.open(account);
      if (account !== null) table.reveal(account);
    } finally {
      this.#following = false;
    }
  }

  /** @param {number | null} id */
  async #showRun(id) {
    const { runs, runView } = this.page;
    if (id === runView.run) return;
    this.notices.clear(UNKNOWN);
    if (id !== null && !runs.find(id)) await this.#readRun(id);
    const run = id === null ? null : runs.find(id);
    await runView.choose(run);
    if (run === undefined) {
      this.query.set({ run: "" });
      this.notices.show(UNKNOWN, { level: "warning", text: text("results.run_unknown", { run: `${id}` }) });
    }
  }

  /**
   * Read a run, unless the service has none of this number.
   *
   * @param {number} id
   */
  async #readRun(id) {
    try {
      await this.page.runs.reload(id);
    } catch (problem) {
      if (explained(problem).code !== "run_unknown") throw problem;
    }
  }

  /**
   * @param {Record<string, string | number>} changes
   * @param {{push?: boolean}} [how]
   */
  #note(changes, how) {
    if (!this.#following) this.query.set(changes, how);
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

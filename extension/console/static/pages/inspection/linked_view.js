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
/** Topics of notices about accounts that a link names and the list does not have. */
const [NO_ACCOUNT, NO_ACCOUNTS] = ["linked-account", "linked-scope"];
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
  const isScope = query.get("family") || query.get("provider");
  const source = SOURCES.find((each) => each === query.get("source")) ?? (isScope ? store.current.accountSource : "");
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
      this.#note(scopeOf(store.current), { push: store.isStep });
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
      this.#tellEmptyScope();
      this.#tellMissing(account);
    } finally {
      this.#following = false;
    }
  }

  /** Say that no account is in the part of the pool that the address names, and offer all. */
  #tellEmptyScope() {
    const { notices, page: { pool }, store } = this;
    notices.clear(NO_ACCOUNTS);
    const { family, provider } = scopeOf(store.current);
    const named = Object.entries({ family, provider }).filter(([, value]) => value);
    if (!named.length || pool.total !== 0) return;
    const values = named.map((each) => each.join("=")).join(", ");
    const act = () => store.replace({ ...store.current, targetType: "all", providerFilter: "" });
    notices.show(NO_ACCOUNTS, {
      level: "warning", text: text("results.scope_empty", { values }), action: { label: text("results.show_all"), act },
    });
  }

  /**
   * Say that an account of the address is not in the list, and offer to clear it.
   *
   * @param {number | null} account
   */
  #tellMissing(account) {
    const { notices, query, page: { accounts: { table }, pool, runView } } = this;
    notices.clear(NO_ACCOUNT);
    const known = runView.run === null ? pool.accounts : runView.results;
    if (account === null || known.has(account) || pool.failed) return;
    const act = () => {
      table.open(null);
      query.set({ account: "" });
    };
    notices.show(NO_ACCOUNT, {
      level: "warning", text: text("results.account_unknown", { account: String(account) }),
      action: { label: text("results.forget"), act },
    });
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

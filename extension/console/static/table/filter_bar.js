import { byId, element } from "../dom.js";
import { clipped, formatCount } from "../formatting.js";
import { text, tokenText } from "../language/catalogue.js";
import { hostName } from "../layout/host_name.js";
import { whenUnused } from "../layout/kept_field.js";
import { STATE_FILTERS } from "./query.js";

/**
 * @import { Filters } from "./query.js"
 * @typedef {"action" | "state" | "status" | "host"} Field
 */

const FIELDS = /** @type {const} */ (["action", "state", "status", "host"]);
/** Filters as the address names them. */
const KEPT = /** @type {const} */ (["q", "verdict", "onHold", ...FIELDS]);
/** States that a check ends. */
const UNCHECKED = new Set(["in_checks", "old"]);
/** Entry among the recommendations that stands for the accounts on hold. */
const ON_HOLD = "on_hold";
const TYPING_MS = 120;
const HOSTS_OFFERED = 50;

/** Filters of the table beside the statuses: recommendation, state, HTTP status, host, words. Kept in the address. */
export class FilterBar {
  /** @type {ReturnType<typeof setTimeout> | undefined} */ #timer;
  #offered = "";

  /**
   * @param {import("../shell/query_state.js").QueryState} query
   * @param {() => void} onChange
   */
  constructor(query, onChange) {
    this.query = query;
    this.onChange = onChange;
    this.search = byId("search", HTMLInputElement);
    /** @type {Map<Field, HTMLSelectElement>} */
    this.selects = new Map(FIELDS.map((field) => [field, this.#select(field)]));
    this.clear = element("button", {
      class: "link", text: text("filter.clear"), attributes: { type: "button" }, on: { click: () => this.#clearAll() },
    });
    byId("filters").replaceChildren(...this.selects.values(), this.clear);
    this.search.addEventListener("input", () => {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#chosen({ q: this.search.value }, { push: false }), TYPING_MS);
    });
    this.restore();
  }

  /** Take the filters from the address. */
  restore() {
    this.search.value = this.query.get("q");
    for (const [field, select] of this.selects) this.#keep(field, select, this.query.get(field));
    this.#offerClear();
  }

  /** Drop filters for accounts without a result, which all leave such a list while a run checks them. */
  dropUnchecked() {
    const verdicts = this.verdicts.filter(Boolean);
    const hasState = UNCHECKED.has(this.query.get("state"));
    if (verdicts.length === this.verdicts.length && !hasState) return;
    this.#chosen({ verdict: verdicts, ...(hasState ? { state: "" } : {}) }, { push: false });
    this.restore();
  }

  /** @returns {Filters} */
  get filters() {
    const [action, state, status, host] = FIELDS.map((field) => this.query.get(field));
    return {
      search: this.query.get("q"), verdicts: new Set(this.verdicts), action, state, status, host, onHold: this.onHold,
    };
  }

  /** Statuses that are chosen; `none` in the address is that of an account without a result. */
  get verdicts() {
    return this.query.list("verdict").map((token) => (token === "none" ? "" : token));
  }

  /** Whether only accounts on hold are shown. */
  get onHold() {
    return this.query.get("onHold") === "true";
  }

  /**
   * @param {Set<string>} verdicts
   * @param {boolean} onHold
   */
  chooseVerdicts(verdicts, onHold) {
    this.#chosen({ verdict: [...verdicts].map((token) => token || "none"), onHold: onHold ? "true" : "" });
  }

  /**
   * Offer values that the rows have.
   *
   * Accounts on hold are an entry beside the recommendations, which count them, too.
   *
   * @param {{actions: [string, number][], statuses: [string, number][], hosts: [string, number][], held: number}} found
   */
  offer({ actions, statuses, hosts, held }) {
    const shown = hosts.slice(0, HOSTS_OFFERED);
    const key = JSON.stringify([actions, statuses, shown, held]);
    if (key === this.#offered) return;
    this.#offered = key;
    /** @type {[string, string][]} */
    const onHold = held ? [[ON_HOLD, `${text("filter.on_hold")} (${formatCount(held)})`]] : [];
    this.#fill("action", [
      ...actions.map(([token, n]) => /** @type {[string, string]} */ (
        [token, `${tokenText("action", token)} (${formatCount(n)})`])), ...onHold]);
    this.#fill("status", statuses.map(([status, n]) =>
      [status, `${statusName(status)} (${formatCount(n)})`]));
    this.#fill("host", shown.map(([host, n]) => [host, `${clipped(hostName(host), 60)} (${formatCount(n)})`]));
  }

  /** @param {Field} field */
  #select(field) {
    const select = element("select", {
      attributes: { "aria-label": text(`filter.${field}`) },
      on: { change: () => this.#chosen(select.value === ON_HOLD
        ? { action: "", onHold: "true" } : { [field]: select.value }) },
    });
    const choices = field === "state" ? STATE_FILTERS : [];
    select.append(option("", text(`filter.any_${field}`)),
      ...choices.map((state) => option(state, tokenText("state", state))));
    return select;
  }

  /**
   * @param {Field} field
   * @param {[value: string, label: string][]} choices
   */
  #fill(field, choices) {
    const select = this.selects.get(field);
    if (!select) return;
    whenUnused(select, () => {
      select.replaceChildren(option("", text(`filter.any_${field}`)),
        ...choices.map(([value, label]) => option(value, label)));
      this.#keep(field, select, this.query.get(field));
    });
  }

  /**
   * Show the chosen value, also when no row has it any more.
   *
   * @param {Field} field
   * @param {HTMLSelectElement} select
   * @param {string} value
   */
  #keep(field, select, value) {
    const isOffered = [...select.options].some((each) => each.value === value);
    if (value && !isOffered) select.append(option(value, field === "host" ? hostName(value) : value));
    select.value = value;
    select.classList.toggle("chosen", Boolean(value));
  }

  /**
   * @param {Record<string, string | string[]>} changes
   * @param {{push?: boolean}} [how] each choice is a step that "back" undoes; pauses in typing are none
   */
  #chosen(changes, how = { push: true }) {
    this.query.set(changes, how);
    for (const [field, select] of this.selects) {
      if (select.value === ON_HOLD) select.value = "";  // the chip shows it
      select.classList.toggle("chosen", Boolean(this.query.get(field)));
    }
    this.#offerClear();
    this.onChange();
  }

  #clearAll() {
    clearTimeout(this.#timer);
    this.#chosen(Object.fromEntries(KEPT.map((name) => [name, ""])));
    this.restore();
    this.search.focus();
  }

  /** Whether anything is filtered. */
  get isUsed() {
    return KEPT.some((name) => this.query.get(name));
  }

  /** Whether a choice among values is in force. */
  get isChosen() {
    return FIELDS.some((name) => this.query.get(name));
  }

  /** Name the accounts and the filters for paper, on which the controls are not printed. */
  describe() {
    const { query } = this;
    const parts = ["oauth", "api_key"].includes(query.get("source")) ? [tokenText("scope", query.get("source"))] : [];
    /** @type {[string, string][]} */
    const named = [
      [text("scope.family"), query.get("family")], [text("scope.filter"), query.get("provider")],
      ...[...this.selects].map(([field, { value, selectedOptions }]) => /** @type {[string, string]} */ (
        [text(`filter.${field}`), value && (field === "host" ? hostName(value) : selectedOptions[0].text)])),
      [text("results.search"), query.get("q")],
    ];
    for (const [name, value] of named) if (value) parts.push(text("usage.filter_is", { name, value }));
    return parts.join(" · ");
  }

  #offerClear() {
    this.clear.hidden = !this.isUsed;
  }
}

/**
 * Name an HTTP status; 0 stands for a request without an answer.
 *
 * @param {string} status
 */
function statusName(status) {
  if (status === "none") return text("filter.no_status");
  return status === "0" ? text("time.no_answer") : status;
}

/**
 * @param {string} value
 * @param {string} label
 */
function option(value, label) {
  return element("option", { text: label, attributes: { value } });
}

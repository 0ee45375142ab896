import { downloadControl } from "../../connection/download.js";
import { isSignedOut } from "../../connection/problem.js";
import { element } from "../../dom.js";
import { text } from "../../language/catalogue.js";
import { actsOnce } from "../../layout/once.js";
import { refillAround } from "../../layout/kept_field.js";
import { choice } from "../../layout/tile.js";
import { refreshOn } from "../../shell/live_refresh.js";
import { LEAST } from "../../usage/amounts.js";
import { chosenPeriod, filterChips, filtersOf, periodChoice, scopeText } from "../../usage/selection.js";
import { explanationDialog } from "./explanation.js";
import { FilterChoices } from "./filter_choices.js";
import { LiveRequests } from "./live_requests.js";
import { requestHead, requestRow } from "./rows.js";

/** @import { UsageView } from "../../../_generated_types.js" */
/** @import { PageContext } from "../../shell/context.js" */

const PAGE = 100;
const MOST_LIVE = 400;
const MOST_READ = 1_000;
/** Names in the address that choose the period. */
const PERIOD = ["period", "start", "end"];

/**
 * Mount the list of requests.
 *
 * @type {import("../../shell/router.js").Mount}
 */
export async function mount(root, context) {
  const page = new RequestsPage(root, context);
  await page.refresh();
  return () => page.leave();
}

/** Requests of a period, newest first, page by page or live. */
class RequestsPage {
  #left = false;
  #asked = 0;
  #newest = 0;
  /** @type {string | null} */ #next = null;
  /** @type {Map<string, string>} */ #names = new Map();
  /** @type {Map<string, string>} */ #aliases = new Map();

  /**
   * @param {HTMLElement} root
   * @param {PageContext} context
   */
  constructor(root, context) {
    this.context = context;
    this.choices = new FilterChoices(context.client);
    this.head = element("div", { class: "panel filters" });
    this.printed = element("p", { class: "only-printed" });
    this.body = element("tbody");
    this.state = element("p", { class: "hint", attributes: { role: "status" } });
    this.more = actsOnce(element("button", {
      class: "plain", text: text("requests.more"), attributes: { type: "button", hidden: true },
    }), () => this.#read(true));
    this.liveButton = element("button", {
      class: "plain", text: text("requests.live"), attributes: { type: "button", "aria-pressed": "false" },
      on: { click: () => this.#toggleLive() },
    });
    this.table = element("div", { class: "scroll", attributes: { tabindex: 0, role: "region",
      "aria-label": text("pages.requests") } },
      element("table", { class: "plain-table cards" }, requestHead(), this.body));
    this.root = root;
    root.append(element("h1", { text: text("pages.requests"), attributes: { tabindex: -1 } }), this.head, this.printed,
      element("div", { class: "panel" }, this.state,
        this.table, this.more));
    this.live = new LiveRequests(context.client, (requests) => this.#arrived(requests), (lost) => {
      this.state.textContent = text(lost ? "requests.live_lost" : "requests.live_on");
    });
    context.query.addEventListener("change", () => this.refresh());
    const stops = [
      refreshOn(context.live, ["alias", "price", "reload"], this.body, () => this.#readAgain()),
      context.live.on(["reload"], () => this.#followNew()),
    ];
    this.stop = () => { for (const stop of stops) stop(); };
  }

  leave() {
    this.#left = true;
    this.stop();
    this.live.close();
  }

  get isLive() {
    return this.context.query.get("live") === "true";
  }

  async refresh() {
    this.#showControls();
    this.#next = null;
    await this.#read(false);
    if (this.#left) return;
    this.#followNew();
    this.liveButton.setAttribute("aria-pressed", String(this.isLive));
  }

  /** Follow new requests where that is wanted; again, after the session of an earlier stream has ended. */
  #followNew() {
    if (this.isLive) this.live.open(this.#newest, filtersOf(this.context.query));
    else this.live.close();
  }

  /** Read what is shown again, with the names and costs of now. */
  #readAgain() {
    return this.#read(false, Math.min(MOST_READ, Math.max(PAGE, this.body.children.length)));
  }

  /**
   * @param {boolean} isMore
   * @param {number} [limit]
   */
  async #read(isMore, limit = PAGE) {
    const { client, notices, query } = this.context;
    this.#asked += 1;
    const asked = this.#asked;
    /** @type {Record<string, string>} */
    const before = isMore && this.#next ? { before: this.#next } : {};
    const period = chosenPeriod(query, Date.now());
    const scope = { ...period, ...filtersOf(query) };
    try {
      const [answer, { aliases }, accounts] = await Promise.all([
        client.get("../usage", { ...scope, ...before, limit }),
        client.get("../api-key-aliases"),
        client.get("../usage/summary", { ...scope, by: "account", limit: 1_000 }),
        this.choices.read(PERIOD.map((name) => query.get(name)).join(), period),
      ]);
      if (this.#left || asked !== this.#asked) return;
      this.#aliases = new Map(aliases.map(({ fingerprint, alias }) => [fingerprint, alias]));
      this.#names = new Map(accounts.groups.map(({ name, label }) => [name, label]));
      this.#showControls();
      const rows = answer.events.map((request) => this.#row(request));
      if (isMore) this.body.append(...rows);
      else this.body.replaceChildren(...rows);
      this.#newest = Math.max(isMore ? this.#newest : 0, ...answer.events.map(({ seq }) => seq));
      this.#next = answer.next;
      this.more.hidden = answer.next === null;
      const gaps = answer.gaps.length ? ` ${text("usage.gaps", { n: answer.gaps.length })}` : "";
      this.table.hidden = !this.body.children.length;
      this.state.textContent = (this.body.children.length
        ? text("requests.shown", { shown: this.body.children.length, n: accounts.totals.requests,
          least: answer.gaps.length ? LEAST : "" }) : text("requests.empty")) + gaps;
      notices.clear("requests");
    } catch (problem) {
      if (!this.#left && !isSignedOut(problem)) notices.showProblem("requests", problem);
    }
  }

  /** @param {UsageView} request */
  #row(request) {
    return requestRow(request, {
      names: this.#names,
      aliases: this.#aliases,
      time: (at) => this.context.format.formatTime(at),
      filter: (name, value) => {
        this.context.query.set({ [name]: value }, { push: true });
        this.refresh();
      },
      explain: (each) => this.#explain(each),
    });
  }

  /** @param {UsageView[]} requests */
  #arrived(requests) {
    if (this.#left) return;
    this.#newest = Math.max(this.#newest, ...requests.map(({ seq }) => seq));
    this.table.hidden = false;
    this.body.prepend(...requests.toReversed().map((request) => this.#row(request)));
    while (this.body.children.length > MOST_LIVE) this.body.lastElementChild?.remove();
  }

  #toggleLive() {
    this.context.query.set({ live: this.isLive ? "" : "true" });
    this.refresh();
  }

  /** @param {UsageView} request */
  async #explain(request) {
    const { client, notices } = this.context;
    try {
      const explanation = await client.get("../usage/explanation", { seq: request.seq });
      if (this.#left) return;
      const dialog = explanationDialog(request, explanation, text("requests.why"));
      this.root.append(dialog);
      dialog.showModal();
    } catch (problem) {
      if (!isSignedOut(problem)) notices.showProblem("requests", problem);
    }
  }

  #showControls() {
    const { query } = this.context;
    const changed = () => { this.refresh(); };
    const scope = { ...chosenPeriod(query, Date.now()), ...filtersOf(query) };
    /** @type {[string, string][]} */
    const results = [["", text("requests.all")], ["true", text("usage.only_failed")], ["false",
      text("usage.only_good")]];
    this.printed.textContent = scopeText(query, Date.now());
    refillAround(this.head, [
      periodChoice(query, changed),
      choice("failed", text("requests.result"), results, query.get("failed"), (failed) => {
        query.set({ failed }, { push: true });
        this.refresh();
      }),
      ...this.choices.nodes(query, this.#aliases, changed),
      this.liveButton,
      element("p", { class: "buttons" }, ...(/** @type {const} */ (["csv", "jsonl"])).map((format) => downloadControl(
        this.context, text(`usage.export_${format}`), "../usage/export", { ...scope, format }))),
      filterChips(query, changed),
    ]);
  }
}

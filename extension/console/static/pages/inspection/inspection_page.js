import { AccountActions } from "../../actions/account_actions.js";
import { ActionDialog } from "../../actions/action_dialog.js";
import { byId } from "../../dom.js";
import { RunReport } from "../../follow_up/run_report.js";
import { SourceCounts } from "../../pool/source_counts.js";
import { AccountTable } from "./account_table.js";
import { Capsule } from "../../pool/capsule.js";
import { emptyText } from "../../pool/empty_text.js";
import { PoolModel } from "../../pool/pool_model.js";
import { CostLine } from "../../run/cost_line.js";
import { History } from "../../run/history.js";
import { RunModel } from "../../run/run_model.js";
import { RunPanel } from "../../run/run_panel.js";
import { RunView } from "../../run/run_view.js";
import { ScopeBar } from "../../settings/scope_bar.js";
import { text } from "../../language/catalogue.js";
import { actsOnce } from "../../layout/once.js";
import { SettingsForm } from "../../settings/settings_form.js";
import { addressRemedy } from "../../table/panel/address_remedy.js";
import { renderLegend } from "../../table/legend.js";
import { Slices } from "../../scheduling/slices.js";
import { Rows } from "../../table/rows.js";

const [PAINT_EVERY_MS, SETTLE_MS, MINUTE_MS] = [200, 400, 60_000];
const SCOPE = /** @type {const} */ (["accountSource", "targetType", "providerFilter"]);

/** @param {import("../../connection/event_stream.js").ServiceEvent} event */
const runOf = ({ run, data }) => Number(run ?? data.run);

/** Models of the pool and the runs, their views, and the wiring between them. */
export class InspectionPage {
  #paintDue = false;
  /** Whether holds may be older than the end of a run. */ #awaitsEnd = false;
  #isStale = false;
  #paintedAt = -PAINT_EVERY_MS;
  #rows = new Rows();
  #left = new AbortController();
  /** @type {ReturnType<typeof setTimeout> | undefined} */ #poolTimer;

  /** @param {import("../../shell/context.js").PageContext} context */
  constructor(context) {
    const { client, notices, store, vocabulary, config, live } = context;
    const { signal } = this.#left;
    this.client = client;
    this.notices = notices;
    this.store = store;
    this.vocabulary = vocabulary;
    this.live = live;
    this.pool = new PoolModel(client);
    this.runs = new RunModel(client);
    this.runView = new RunView(client, this.pool);
    this.capsule = new Capsule(this.pool, notices, signal);
    this.scopeBar = new ScopeBar(store, vocabulary, signal);
    this.form = new SettingsForm(byId("settings-form"), byId("settings-summary"), store, signal);
    const dialog = this.dialog = new ActionDialog(client, () => this.accountsChanged(), notices);
    this.actions = new AccountActions(client, dialog);
    this.report = new RunReport(client, notices, dialog, vocabulary, Number(config.settings.keepRuns));
    this.accounts = new AccountTable(context, {
      onSwitch: (id, disabled) => this.actions.switch(this.#accounts([id]), disabled),
      onDelete: (id) => this.actions.delete(this.#accounts([id])),
      onFlag: (id, flag, on) => notices.attempt("flags", () => this.#setFlag(id, flag, on)),
      offer: (row) => this.#offerAddress(row),
      readHold: (row) => this.actions.holdReason(row),
    }, {
      switchSelected: (ids, disabled) =>
        this.actions.switchSelected(this.#accounts(ids), disabled, () => this.selection.replace([])),
      deleteSelected: (ids) => this.actions.delete(this.#accounts(ids), () => this.selection.replace([])),
      readEvidence: (result) => notices.attempt("evidence", () => this.pool.readEvidence(result)),
      undo: () => dialog.undoLast(),
    }, signal);
    this.selection = this.accounts.selection;
    this.history = new History((id) =>
      this.notices.attempt("history", () => this.runView.choose(id === null ? null : this.runs.find(id))));
    this.panel = new RunPanel(
      () => this.notices.attempt("run", () => this.#start()),
      (command) => this.notices.attempt("run", () => this.#steer(command)));
    this.cost = new CostLine(client, store, signal);
    renderLegend(vocabulary);
  }

  /** Reload everything. */
  async reload() {
    await this.notices.attempt("load", () => Promise.all([this.reloadPool(), this.runs.load()]));
    await this.notices.attempt("load", () => Promise.all([this.runView.refresh(), this.report.refresh()]));
    if (this.#awaitsEnd && !this.#left.signal.aborted) this.#reloadPoolSoon();  // the run may have ended unheard
  }

  /**
   * Reload the parts of the page that depend on the state of a run.
   *
   * @param {number} id
   */
  async runMoved(id) {
    this.accounts.recent.renew();
    await Promise.all([this.runs.reload(id), this.runView.landed(id)]);
  }

  /** Stop everything that would go on without the page. */
  leave() {
    this.#left.abort();
    clearTimeout(this.#poolTimer);
    this.dialog.leave();
  }

  /** Reload the pool, the recommended actions and what the run in view has on hold, after an action. */
  async accountsChanged() {
    const [run, active] = [this.#runInView(), this.runs.active];
    const reload = async () => { if (run) await this.notices.attempt("load", () => this.runs.reload(run.id)); };
    await Promise.all([this.reloadPool(), this.report.refresh(), reload()]);
    if (this.#left.signal.aborted) return;
    if (active && !this.runs.active) this.#reloadPoolSoon();  // it ended while the pool was read
    else this.#awaitsEnd &&= Boolean(this.runs.active);
    this.#renderBulk();
  }

  /** Reload the pool and drop selected accounts that are gone. */
  async reloadPool() {
    await this.notices.attempt("pool", async () => {
      const { accountSource: source, targetType: family, providerFilter } = this.store.current;
      const filter = source === "api_key" ? providerFilter : "";
      await this.pool.load({ source, family, filter }, this.accounts.table.readOrder);
      await this.runView.reloadAccounts();
    });
  }

  /** Follow events, settings and controls until the page is left. */
  connect() {
    const { signal } = this.#left;
    const minutes = setInterval(() => this.#paintSoon(), MINUTE_MS);
    const stops = [
      () => clearInterval(minutes),
      this.live.on(["reload"], () => this.reload()),
      this.live.on(["run.progress"], (event) => event && this.runs.progress(
        runOf(event), Number(event.data.done), Number(event.data.total))),
      this.live.on(["result"], (event) => event && this.runView.landed(runOf(event))),
      this.live.on(["run.state"], (event) => event && this.runMoved(runOf(event))),
      this.live.on(["action", "batch", "pool", "run.state"], () => this.#reloadPoolSoon()),  // a run ends with holds
    ];
    signal.addEventListener("abort", () => { for (const stop of stops) stop(); });
    const counts = new SourceCounts(this.client);
    actsOnce(byId("refresh"), () => Promise.all([counts.refresh(0), this.reloadPool()]));
    counts.refresh();
    this.store.addEventListener("change", (event) => {
      const before = /** @type {CustomEvent} */ (event).detail;
      this.#paintSoon();  // the start button says whether the run will act by itself
      if (SCOPE.every((name) => before[name] === this.store.current[name])) return;
      this.selection.replace([]);
      this.notices.clear("run");
      this.notices.attempt("history", () => this.runView.choose(null));
      this.reloadPool();
    }, { signal });
    this.pool.addEventListener("change", () => this.#poolChanged(), { signal });
    this.pool.addEventListener("load", () => this.cost.ask(), { signal });
    this.runs.addEventListener("change", () => this.#paintSoon(), { signal });
    this.runView.addEventListener("change", () => this.#paintSoon(), { signal });
    this.selection.addEventListener("change", () => this.#renderBulk());
    this.accounts.table.addEventListener("render", () => this.#renderBulk());
  }

  /** Reload once for a batch of action events. */
  #reloadPoolSoon() {
    clearTimeout(this.#poolTimer);
    this.#poolTimer = setTimeout(() => this.accountsChanged(), SETTLE_MS);
  }

  #poolChanged() {
    const files = [...this.pool.accounts.values()].filter((account) => account.accountSource === "oauth");
    this.scopeBar.offerTypes(files.map((account) => account.provider));
    this.#paintSoon();
  }

  /** Schedule a repaint, at most a few times a second even while a run delivers results faster. */
  #paintSoon() {
    this.#isStale = this.#paintDue;
    if (this.#paintDue) return;
    this.#paintDue = true;
    setTimeout(async () => {
      if (!this.#left.signal.aborted) await this.#paint();
      this.#paintedAt = performance.now();
      this.#paintDue = false;
      if (this.#isStale) this.#paintSoon();
    }, Math.max(0, this.#paintedAt + PAINT_EVERY_MS - performance.now()));
  }

  async #paint() {
    const { run, results, accounts, held } = this.runView;
    this.#awaitsEnd ||= Boolean(this.runs.active);
    this.panel.render(this.#runInView(), this.runs.active, this.store.current.autoActionMode, this.pool.accounts,
      this.runView.failingOf(this.#runInView()?.id ?? 0));
    this.panel.start.disabled = this.pool.total === null && !this.pool.failed;  // nothing is known yet
    this.cost.render(Boolean(this.runs.active));
    // The run selected for the table, else the newest of the source in view.
    this.report.render(this.runs.find(run) ?? this.runs.newestOf(this.store.current));
    this.history.render(this.runs.runs, run);
    this.selection.keepOnly(this.#directory());
    const rows = run === null
      ? await this.#rows.ofPoolInSlices(this.pool.accounts, new Slices()) : this.#rows.ofRun(results, accounts, held);
    const empty = run === null ? emptyText(this.pool, this.store.current) : text("results.run_empty");
    const [total, isWhole] = run === null ? [this.pool.total, !this.pool.partial] : [rows.length, true];
    if (!this.#left.signal.aborted) await this.accounts.show(rows, empty, { total, isWhole });
  }

  #renderBulk() {
    const source = this.runView.source ?? this.store.current.accountSource;
    this.accounts.renderBulk(this.#accounts(this.selection.ids()), source, this.#awaitsEnd);
  }

  #runInView() {
    return this.runs.active ?? this.runs.find(this.runView.run) ?? this.runs.newestOf(this.store.current);
  }

  /** @param {import("../../run/run_model.js").Command} command to the run under way, or to the ended one in view */
  async #steer(command) {
    const run = this.#runInView();
    if (run) await this.runs.steer(command, run.id);
  }

  #directory() {
    return this.runView.run === null ? this.pool.accounts : this.runView.accounts;
  }

  /** @param {number[]} ids */
  #accounts(ids) {
    return ids.flatMap((id) => this.#directory().get(id) ?? []);
  }

  /**
   * @param {number} id
   * @param {import("../../actions/account_flags.js").Flag} flag
   * @param {boolean} on
   */
  async #setFlag(id, flag, on) {
    await this.client.post("pool/flags", { accounts: [id], [flag]: on }).finally(() => this.reloadPool());
  }

  async #start() {
    if (!this.form.confirm()) return;
    await Promise.all([this.runView.choose(null), this.runs.start(this.store.current)]);
    this.accounts.table.filterBar.dropUnchecked();
  }

  /** @param {import("../../table/rows.js").Row} row */
  #offerAddress(row) {
    if (this.store.current.familyDefaultAddress) return null;
    return addressRemedy(row, this.vocabulary, () => {
      this.store.replace({ ...this.store.current, familyDefaultAddress: true });
      this.notices.show("address", { text: text("results.vendor_address") });
    });
  }
}

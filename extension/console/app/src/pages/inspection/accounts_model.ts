import { effect, signal, untracked } from "@preact/signals";
import { accountName } from "../../accounts/account_name.js";
import { FAILING } from "../../accounts/status.js";
import { readQuestion, type Question, type Verb } from "../../actions/change_plan.js";
import { Changes } from "../../actions/changes.js";
import { changesOfRun } from "../../actions/reversal.js";
import type { HeldView, RunView } from "../../connection/api.js";
import type { ServiceEvent } from "../../connection/event_stream.js";
import { explained } from "../../connection/problem.js";
import { currentLanguage, text } from "../../language/catalogue.js";
import { StoredSettings } from "../../run_settings/stored_settings.js";
import type { Selection } from "../../parts/table/selection.js";
import type { Services } from "../../shell/services.js";
import { AccountPool } from "./account_pool.js";
import { comparisonOf, readOrderOf, Scan, type Counts } from "./query.js";
import { RecentResults } from "./recent_results.js";
import { RowBook, rowOfRun, type Account, type Row } from "./rows.js";
import { RunResults } from "./run_results.js";
import { isActive, Runs } from "./runs.js";
import { SignIns } from "./sign_in.js";
import { CHUNK, Slices, sortInSlices } from "./slices.js";
import { filtersOf, numberOf, scopeOf } from "./view_query.js";

const DRAW_EVERY_MS = 200;
const SETTLE_MS = 400;

/** Rows that pass the filters, in order, with what is counted beside them. */
export interface Shown {
  rows: readonly Row[];
  counts: Counts;
}

/** Run whose results are shown in place of the newest ones. */
interface RunInView {
  run: RunView;
  held: ReadonlySet<number>;
}

/** What an automatic run did, by action. */
export interface RunDeeds {
  run: number;
  disable: number;
  enable: number;
  delete: number;
  /** Changes that were taken back since. */
  undone: number;
}

/** State of the page: accounts, runs, changes and settings, kept up to date by events until it is left. */
export class AccountsModel {
  readonly pool: AccountPool;
  readonly runs: Runs;
  readonly recent: RecentResults;
  readonly changes: Changes;
  readonly signIns: SignIns;
  /** Whether the gateway has addresses at which accounts are signed in. */
  readonly canSignIn: boolean;
  /** Whether the gateway takes an edited configuration entry. */
  readonly canEdit: boolean;
  readonly settings: StoredSettings;
  readonly families: readonly string[];
  readonly shown = signal<Shown | null>(null);
  readonly selection = signal<Selection>(new Set());
  readonly runInView = signal<RunInView | null>(null);
  readonly deeds = signal<RunDeeds | null>(null);
  /** Whether the list may be older than the end of a run, which puts changes on hold. */
  readonly isOutdated = signal(false);
  readonly #book = new RowBook();
  readonly #results = new Map<number, RunResults>();
  /** Counts results of the run in view, so that they are shown as they come in. */
  readonly #arrivals = signal(0);
  readonly #left = new AbortController();
  #poolTimer: ReturnType<typeof setTimeout> | undefined;
  #drawTimer: ReturnType<typeof setTimeout> | undefined;
  #drawnAt = -DRAW_EVERY_MS;
  #turn = 0;

  constructor(private readonly services: Services) {
    const { client, notices, config, info } = services;
    this.pool = new AccountPool(client);
    this.runs = new Runs(client);
    this.recent = new RecentResults(client);
    this.changes = new Changes(client, notices, () => this.accountsChanged());
    this.signIns = new SignIns(client);
    this.canSignIn = info.gateway.capabilities.includes("sign-in");
    this.canEdit = info.gateway.capabilities.includes("replace-section");
    this.families = info.families.map(({ token }) => token);
    this.settings = new StoredSettings(() => window.localStorage, config.inspectionDefaults, this.families);
    const ignored = this.settings.restore();
    if (ignored.length) {
      notices.show("settings", { level: "warning", text: text("shell.settings_reset"), details: ignored });
    }
  }

  /** Follow events and the address; the returned function ends that. */
  connect(): () => void {
    const { live, router } = this.services;
    const stops = [
      live.on(["reload"], () => this.reload()),
      live.on(["run.progress"], (event) =>
        this.#ofRun(event, (run, { done, total }) => this.runs.progress(run, Number(done), Number(total))),
      ),
      live.on(["result"], (event) => this.#ofRun(event, (run) => this.#landed(run))),
      live.on(["run.state"], (event) =>
        this.#ofRun(event, (run) => Promise.all([this.runs.reload(run), this.#landed(run)])),
      ),
      live.on(["action", "batch", "pool", "run.state"], () => this.#reloadSoon()),
      effect(() => {
        const values = [this.pool.accounts.value, router.query.value, this.runInView.value, currentLanguage()];
        if (values && this.#arrivals.value >= 0) untracked(() => this.#drawSoon());
      }),
      effect(() => {
        const run = numberOf(router.get("run"));
        untracked(() => void this.#showRun(run));
      }),
      effect(() => {
        if (this.runs.active) this.isOutdated.value = true;
      }),
      effect(() => {
        const run = this.runs.list.value.at(0);
        if (run && !isActive(run)) untracked(() => void this.#readDeeds(run));
      }),
    ];
    void this.reload();
    return () => {
      for (const stop of stops) stop();
      this.#left.abort();
      this.recent.stop();
      void this.signIns.close();
      clearTimeout(this.#poolTimer);
      clearTimeout(this.#drawTimer);
    };
  }

  get isLeft(): boolean {
    return this.#left.signal.aborted;
  }

  async #loadPool(): Promise<void> {
    const isEnded = !this.runs.active;
    await this.pool.load(readOrderOf(this.services.router.get("sort")));
    if (isEnded && !this.runs.active) this.isOutdated.value = false;
    else if (this.isOutdated.peek() && !this.runs.active && !this.isLeft) this.#reloadSoon();
  }

  /** Read everything again. */
  async reload(): Promise<void> {
    await Promise.all([this.#loadPool(), this.services.notices.attempt("load", () => this.runs.load())]);
    const run = this.runInView.peek();
    if (run) await this.#landed(run.run.id);
  }

  async accountsChanged(): Promise<void> {
    const newest = this.runs.list.peek().at(0);
    await Promise.all([
      this.#loadPool(),
      newest && this.services.notices.attempt("load", () => this.runs.reload(newest.id)),
    ]);
  }

  /** Ask for a change of accounts; the question says what it does. */
  async change(
    wishes: readonly { verb: Verb; accounts: readonly Account[] }[],
    how: { includesHeld?: boolean; isSelection?: boolean; isRecommended?: boolean } = {},
  ): Promise<void> {
    const { client } = this.services;
    await this.changes.ask(async () => {
      const question = await readQuestion(client, wishes, how);
      return how.isSelection ? this.#clearing(question) : question;
    }, how.isRecommended);
  }

  /** Return a question after whose answer nothing is selected. */
  #clearing(question: Question): Question {
    return {
      ...question,
      perform: async (...parts) => {
        const answer = await question.perform(...parts);
        this.selection.value = new Set();
        return answer;
      },
    };
  }

  async setFlag(id: number, flag: "neverProbe" | "managed" | "protected", isOn: boolean): Promise<void> {
    await this.services.notices.attempt("flags", async () => {
      await this.services.client.post("pool/flags", { accounts: [id], [flag]: isOn });
    });
    await this.accountsChanged();
  }

  /** Return the row of an account that the filters may leave out; undefined where there is none. */
  rowOf(id: number): Row | undefined {
    const account = this.pool.accounts.value.get(id);
    return account && this.#book.ofAccount(account);
  }

  /** Return the accounts with these ids that are still in the pool. */
  accountsOf(ids: Iterable<number>): Account[] {
    const accounts = this.pool.accounts.peek();
    return [...ids].flatMap((id) => accounts.get(id) ?? []);
  }

  failingOf(run: number): number {
    const results = this.#results.get(run)?.byAccount.values() ?? [];
    return [...results].filter(({ verdict }) => FAILING.includes(verdict)).length;
  }

  #ofRun(event: ServiceEvent | null, act: (run: number, data: Record<string, unknown>) => unknown): unknown {
    return event && act(Number(event.run ?? event.data.run), event.data);
  }

  #reloadSoon(): void {
    clearTimeout(this.#poolTimer);
    this.#poolTimer = setTimeout(() => void this.accountsChanged(), SETTLE_MS);
  }

  /** Read new results of a run, for the list and for the run in view. */
  async #landed(run: number): Promise<void> {
    await this.#resultsOf(run).read();
  }

  #resultsOf(run: number): RunResults {
    const known = this.#results.get(run);
    if (known) return known;
    const reader = new RunResults(this.services.client, run, (results) => {
      this.pool.applyResults(results);
      if (run === this.runInView.peek()?.run.id) this.#arrivals.value += 1;
    });
    this.#results.set(run, reader);
    return reader;
  }

  /** Show the results of a run; null: the newest ones. */
  async #showRun(id: number | null): Promise<void> {
    const { notices, client, router } = this.services;
    if (id === (this.runInView.peek()?.run.id ?? null)) return;
    if (id === null) {
      this.runInView.value = null;
      return;
    }
    await notices.attempt("run-in-view", async () => {
      try {
        const [{ runs }, { held }] = await Promise.all([
          client.get("inspections", { run: id }),
          client.get("inspections/held", { run: id }),
        ]);
        const ids = held.map(({ account }: HeldView) => account);
        if (numberOf(router.get("run")) !== id) return;
        this.runInView.value = { run: runs[0], held: new Set(ids) };
        await this.#resultsOf(id).read();
      } catch (problem) {
        if (explained(problem).code !== "run_unknown") throw problem;
        router.set({ run: "" });
        notices.show("linked-run", { level: "warning", text: text("results.run_unknown", { run: String(id) }) });
      }
    });
  }

  /** Read what an automatic run did. */
  async #readDeeds(run: RunView): Promise<void> {
    if (run.settings.autoActionMode === "none") {
      this.deeds.value = null;
      return;
    }
    await this.services.notices.attempt("deeds", async () => {
      const { actions, reverted } = await changesOfRun(this.services.client, run.id);
      const deeds = { run: run.id, disable: 0, enable: 0, delete: 0, undone: 0 };
      for (const { id, action } of actions) {
        if (reverted.has(id)) deeds.undone += 1;
        else if (action !== "keep") deeds[action] += 1;
      }
      this.deeds.value = deeds;
    });
  }

  /** Draw at most a few times a second, even while a run delivers results faster. */
  #drawSoon(): void {
    clearTimeout(this.#drawTimer);
    const pause = Math.max(0, this.#drawnAt + DRAW_EVERY_MS - performance.now());
    this.#drawTimer = setTimeout(() => void this.#draw(), pause);
  }

  /** Filter, count and sort in slices; a later call ends an earlier one. */
  async #draw(): Promise<void> {
    this.#turn += 1;
    const turn = this.#turn;
    this.#drawnAt = performance.now();
    const { router } = this.services;
    const get = (name: string) => router.query.peek().get(name) ?? "";
    const scan = new Scan(filtersOf(get, scopeOf(get, this.families)), Date.now());
    const slices = new Slices();
    let count = 0;
    for (const row of this.#rows()) {
      scan.take(row);
      count += 1;
      if (count % CHUNK === 0) await slices.rest();
    }
    const rows = await sortInSlices(scan.passing, comparisonOf(get("sort")), slices);
    if (turn !== this.#turn || this.isLeft) return;
    if (this.pool.extent.peek().total !== null) this.shown.value = { rows, counts: scan.counts };
    this.#publish();
  }

  *#rows(): Iterable<Row> {
    const accounts = this.pool.accounts.peek();
    const inView = this.runInView.peek();
    if (!inView) {
      for (const account of accounts.values()) yield this.#book.ofAccount(account);
      return;
    }
    for (const result of this.#resultsOf(inView.run.id).byAccount.values()) {
      yield rowOfRun(result, accounts.get(result.account) ?? null, inView.held.has(result.account));
    }
  }

  /** Tell the shell the number of accounts and how to find them; forget selected ones that are gone. */
  #publish(): void {
    const { counts, commands, router } = this.services;
    const accounts = this.pool.accounts.peek();
    const { total, isWhole } = this.pool.extent.peek();
    if (total !== null && counts.peek().inspection?.n !== total) {
      counts.value = { ...counts.peek(), inspection: { n: total } };
    }
    if (isWhole && commands.peek().length !== accounts.size) {
      commands.value = [...accounts.values()].map((account) => ({
        id: `account-${account.id}`,
        label: accountName(account),
        words: `${account.place} ${account.baseUrl}`,
        act: () => router.set({ account: account.id }, { push: true }),
      }));
    }
    const selected = [...this.selection.peek()];
    const present = selected.filter((id) => accounts.has(Number(id)));
    if (isWhole && present.length !== selected.length) this.selection.value = new Set(present);
  }
}

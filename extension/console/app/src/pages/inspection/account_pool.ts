import { batch, signal } from "@preact/signals";
import type { ResultView, SkippedView, SlimPoolAnswer, Source } from "../../connection/api.js";
import type { Client, Query } from "../../connection/client.js";
import { isSilent } from "../../connection/problem.js";
import { readPool } from "./pool_reader.js";
import type { Account, Result } from "./rows.js";
import { SOURCES } from "../../run_settings/fields.js";

const LATE_MS = 1_000;
/** Evidence of a result that the service no longer has. */
const NO_EVIDENCE = { attempts: [], preview: "", headers: {}, windows: [] };

/** How much of the accounts is here. */
export interface Extent {
  /** Whether every account of both sources is here. */
  isWhole: boolean;
  /** Number of accounts with those that are still read; null before it is known. */
  total: number | null;
  /** Time of the oldest reading of the gateway, in milliseconds UTC; 0 before the first. */
  readAt: number;
  skipped: readonly SkippedView[];
}

interface Part {
  accounts: Map<number, Account>;
  isWhole: boolean;
  total: number;
  readAt: number;
  skipped: readonly SkippedView[];
}

/**
 * Accounts of both sources as the service reads them from the gateway, each with its last result. A reading is dropped
 * when a later one has begun; results that arrive during a reading are put in afterwards.
 */
export class AccountPool {
  readonly accounts = signal<ReadonlyMap<number, Account>>(new Map());
  readonly extent = signal<Extent>({ isWhole: false, total: null, readAt: 0, skipped: [] });
  readonly problem = signal<unknown>(null);
  /** True while the gateway lets a page without accounts wait. */
  readonly isLate = signal(false);
  readonly #parts = new Map<Source, Part>();
  #newest = 0;
  #readings = 0;
  #arrived: Result[] = [];
  /** Evidence by number of the result; null while it is read. */
  readonly #evidence = new Map<number, Result | null>();

  constructor(private readonly client: Client) {}

  /** Read both sources, the first accounts in the order of the table before the rest. */
  async load(order: Query = {}): Promise<void> {
    this.#newest += 1;
    this.#readings += 1;
    const number = this.#newest;
    const isCurrent = () => number === this.#newest;
    const timer = setTimeout(() => {
      this.isLate.value = this.#parts.size < SOURCES.length;
    }, LATE_MS);
    try {
      await Promise.all(SOURCES.map((source) => this.#read(source, order, isCurrent)));
      if (isCurrent()) this.problem.value = null;
    } catch (problem) {
      if (isCurrent() && !isSilent(problem)) this.problem.value = problem;
    } finally {
      clearTimeout(timer);
      this.#readings -= 1;
      if (!this.#readings) {
        this.#arrived = [];
        this.isLate.value = false;
      }
    }
  }

  async #read(source: Source, order: Query, isCurrent: () => boolean): Promise<void> {
    const isShown = this.#parts.get(source)?.isWhole;
    const onFirst = isShown ? undefined : (first: SlimPoolAnswer) => this.#take(source, first, false);
    const answer = await readPool(this.client, source, { order, isCurrent, onFirst });
    if (answer && isCurrent()) this.#take(source, answer, true);
  }

  #take(source: Source, answer: SlimPoolAnswer, isWhole: boolean): void {
    const accounts = new Map(answer.accounts.map((account): [number, Account] => [account.id, account]));
    const { readAt, skipped, statistics } = answer;
    this.#parts.set(source, { accounts, isWhole, readAt, skipped, total: statistics.total });
    this.#putIn(this.#arrived);
    this.#recallEvidence();
    this.#publish();
  }

  /** Put new results at their accounts. */
  applyResults(results: readonly ResultView[]): void {
    if (this.#readings) this.#arrived.push(...results);
    if (this.#putIn(results)) this.#publish();
  }

  /** Read the evidence of the last result of an account, once. */
  async readEvidence({ seq, run, account }: Result): Promise<void> {
    if (this.#evidence.has(seq)) return;
    this.#evidence.set(seq, null);
    try {
      const { results } = await this.client.get("inspections/results", { run, after: seq - 1, limit: 1 });
      const shown = this.accounts.peek().get(account)?.lastResult;
      if (shown?.seq !== seq) return;
      this.#evidence.set(seq, results.find((result) => result.seq === seq) ?? { ...shown, ...NO_EVIDENCE });
      this.#recallEvidence();
      this.#publish();
    } catch (problem) {
      this.#evidence.delete(seq);
      throw problem;
    }
  }

  /** Put the evidence that was read at the accounts again, and forget that of earlier results. */
  #recallEvidence(): void {
    if (!this.#evidence.size) return;
    const last = new Map([...this.#all()].map((account) => [account.lastResult?.seq, account]));
    for (const [seq, result] of this.#evidence) {
      const account = last.get(seq);
      if (!account) this.#evidence.delete(seq);
      else if (result) this.#put({ ...account, lastResult: result });
    }
  }

  #putIn(results: readonly Result[]): boolean {
    let isChanged = false;
    for (const result of results) {
      const account = this.#find(result.account);
      if (!account || (account.lastResult && account.lastResult.seq >= result.seq)) continue;
      this.#put({ ...account, lastResult: result });
      isChanged = true;
    }
    return isChanged;
  }

  *#all(): Iterable<Account> {
    for (const source of SOURCES) yield* this.#parts.get(source)?.accounts.values() ?? [];
  }

  #find(id: number): Account | undefined {
    return SOURCES.map((source) => this.#parts.get(source)?.accounts.get(id)).find(Boolean);
  }

  #put(account: Account): void {
    for (const { accounts } of this.#parts.values()) if (accounts.has(account.id)) accounts.set(account.id, account);
  }

  #publish(): void {
    const parts = [...this.#parts.values()];
    const isKnown = parts.length === SOURCES.length;
    batch(() => {
      this.accounts.value = new Map([...this.#all()].map((account) => [account.id, account]));
      this.extent.value = {
        isWhole: isKnown && parts.every(({ isWhole }) => isWhole),
        total: isKnown ? parts.reduce((sum, { total }) => sum + total, 0) : null,
        readAt: Math.min(...parts.map(({ readAt }) => readAt)),
        skipped: parts.flatMap(({ skipped }) => skipped),
      };
    });
  }
}

import { signal, type Signal } from "@preact/signals";
import type { RecentView } from "../../connection/api.js";
import type { Client } from "../../connection/client.js";

const MOST_ACCOUNTS = 150;
const SETTLE_MS = 80;
/** Time between reads of accounts that only have a newer result: during a run some on the screen always do. */
const NEWER_MS = 1_000;

/** Last results of the accounts on the screen, read when they come into sight and when they have a newer result. */
export class RecentResults {
  readonly #known = new Map<number, Signal<readonly RecentView[] | null>>();
  /** Newest result that an account had when it was read. */
  readonly #readUntil = new Map<number, number>();
  readonly #waiting = new Map<number, number>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isStopped = false;

  constructor(private readonly client: Client) {}

  /** Return the last results of an account, the newest first; null before they are read. */
  of(account: number): Signal<readonly RecentView[] | null> {
    const known = this.#known.get(account) ?? signal<readonly RecentView[] | null>(null);
    this.#known.set(account, known);
    return known;
  }

  /** Have the results of an account read, if there are newer ones than those known. */
  want(account: number, newest: number): void {
    const isUnknown = this.of(account).peek() === null;
    if (!isUnknown && newest <= (this.#readUntil.get(account) ?? 0)) return;
    this.#waiting.set(account, newest);
    if (!isUnknown && this.#timer !== undefined) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#read(), isUnknown ? SETTLE_MS : NEWER_MS);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#isStopped = true;
  }

  async #read(): Promise<void> {
    this.#timer = undefined;
    if (this.client.leaving) return;
    const asked = [...this.#waiting].slice(-MOST_ACCOUNTS);
    this.#waiting.clear();
    // Before the answer: of a result that lands meanwhile the account is read once more.
    for (const [id, newest] of asked) this.#readUntil.set(id, newest);
    const account = asked.map(([id]) => id);
    // Marks that cannot be read stay away; other reads of the page report a missing service.
    const answer = await this.client.get("pool/recent", { account }).catch(() => null);
    if (this.#isStopped) return;
    if (!answer) {
      for (const id of account) this.#readUntil.delete(id);
      return;
    }
    const results = new Map(answer.accounts.map((row) => [row.account, row.results]));
    for (const id of account) this.of(id).value = results.get(id) ?? [];
  }
}

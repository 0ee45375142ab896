/** Sign-ins of accounts at their vendors, one after the other, followed through the service. */

import { signal } from "@preact/signals";
import type { ActionView, SignInAnswer } from "../../connection/api.js";
import type { Client } from "../../connection/client.js";
import { explained, isSilent, type Explanation } from "../../connection/problem.js";
import { refusalOf, type Refusal } from "../../parts/refusal.js";
import type { Account } from "./rows.js";

const POLL_MS = 2_000;
/** Code of a gateway that has no address to sign in an account at. */
const UNSUPPORTED = "unsupported";
/** Code of a sign-in that the service does not know: asking again says the same. */
const UNKNOWN = "sign_in_refused";

/** The account whose turn it is, and how far its sign-in is. */
export interface Turn {
  account: Account;
  /** Its place among all of the queue, from 1 on. */
  at: number;
  begun?: SignInAnswer;
  ended?: { action: ActionView; run: number | null };
  problem?: Explanation;
}

export class SignIns {
  readonly turn = signal<Turn | null>(null);
  readonly refusal = signal<Refusal>({});
  accounts: readonly Account[] = [];
  #isAsking = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly client: Pick<Client, "post">) {}

  get hasNext(): boolean {
    return (this.turn.value?.at ?? 0) < this.accounts.length;
  }

  /** Begin with the first of the accounts. */
  async start(accounts: readonly Account[]): Promise<void> {
    this.accounts = accounts;
    await this.#begin(1);
  }

  /** Leave the account, whose sign-in ends where it still waits, and begin with the next one, if any. */
  async next(): Promise<void> {
    const at = (this.turn.peek()?.at ?? 0) + 1;
    await this.close();
    if (at <= this.accounts.length) await this.#begin(at);
  }

  async retry(): Promise<void> {
    await this.#begin(this.turn.peek()?.at ?? 1);
  }

  /** End the queue; a sign-in that waits is canceled. */
  async close(): Promise<void> {
    const turn = this.turn.peek();
    clearTimeout(this.#timer);
    this.turn.value = null;
    if (!turn?.begun || turn.ended) return;
    const { action, state } = turn.begun;
    // Nobody waits for it any more: it ends by itself at the gateway, too.
    await this.client.post("pool/sign-in/cancel", { action, state }).catch(() => {});
  }

  /** Ask how far the sign-in is; `callback` is the address that a person hands over. */
  async follow(callback?: string): Promise<void> {
    const turn = this.turn.peek();
    // Of two answers at the end only the first names the run that it started.
    if (!turn?.begun || turn.ended || this.#isAsking) return;
    clearTimeout(this.#timer);
    this.#isAsking = true;
    const { action, state } = turn.begun;
    const named = { action, state };
    try {
      const answer = await (callback === undefined
        ? this.client.post("pool/sign-in/state", named)
        : this.client.post("pool/sign-in/callback", { ...named, callback }));
      if (callback !== undefined) this.refusal.value = {};
      if (this.#isLeft(turn)) return;
      if (answer.waiting) this.#followLater();
      else this.turn.value = { ...turn, ended: answer };
    } catch (problem) {
      if (isSilent(problem) || this.#isLeft(turn)) return;
      const failure = explained(problem);
      if (failure.code === UNKNOWN) {
        this.turn.value = { ...turn, begun: undefined, problem: failure };
        return;
      }
      if (callback !== undefined) this.refusal.value = refusalOf(problem, ["callback"]);
      this.#followLater();
    } finally {
      this.#isAsking = false;
    }
  }

  async #begin(at: number): Promise<void> {
    clearTimeout(this.#timer);
    const turn = { account: this.accounts[at - 1], at };
    this.refusal.value = {};
    this.turn.value = turn;
    try {
      const begun = await this.client.post("pool/sign-in", { account: turn.account.id });
      if (this.#isLeft(turn)) {
        await this.client.post("pool/sign-in/cancel", { action: begun.action, state: begun.state });
        return;
      }
      this.turn.value = { ...turn, begun };
      this.#followLater();
    } catch (problem) {
      if (!this.#isLeft(turn)) this.turn.value = { ...turn, problem: explained(problem) };
    }
  }

  /** Return whether another account has its turn, or none, since the request was sent. */
  #isLeft({ at, account }: Turn): boolean {
    const now = this.turn.peek();
    return now?.at !== at || now.account !== account;
  }

  #followLater(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.follow(), POLL_MS);
  }
}

export function isWithoutAddress({ problem }: Turn): boolean {
  return problem?.code === UNSUPPORTED;
}

/** New requests as they are stored, read from the service's stream, or page by page where a stream carries no key. */

import type { StreamAnswer, UsageView } from "../../connection/api.js";
import type { Client } from "../../connection/client.js";
import { isSignedOut } from "../../connection/problem.js";

const POLL_MS = 1500;
const POLLS_BEFORE_RETRY = 20;
/** Time after which a stream without its heartbeat, sent every 10 s, or a read without an answer is given up. */
const SILENCE_MS = 25_000;
const PATH = "../usage/stream";

export interface LiveListener {
  /** New requests, the oldest first. */
  onRequests: (requests: UsageView[]) => void;
  onState: (isLost: boolean) => void;
}

/**
 * Follows new requests that pass the filters, from the newest stored one on.
 *
 * A silent stream, or one that is refused, is lost; reads go on until one is answered, and then a new stream.
 *
 * A page that is hidden listens to nothing and catches up when it is shown: a browser has six connections to a service
 * for all its tabs together, and each stream keeps one of them.
 */
export class LiveRequests {
  /** Ends the watch of the page's visibility. */
  readonly #watch = new AbortController();
  #polls = 0;
  /** Whether the newest poll failed. */
  #hasFailed = false;
  #source: EventSource | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly client: Client,
    private after: number,
    private readonly filters: Record<string, string>,
    private readonly listener: LiveListener,
  ) {
    document.addEventListener("visibilitychange", () => this.#follow(), { signal: this.#watch.signal });
    this.#follow();
  }

  close(): void {
    this.#watch.abort();
    this.#stop();
  }

  /** Listen while the page is shown. */
  #follow(): void {
    this.#stop();
    if (document.hidden) return;
    if (this.client.isKeyed) this.#startPolling(POLL_MS);
    else this.#listen();
  }

  #stop(): void {
    this.#source?.close();
    this.#source = null;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #listen(): void {
    this.#stop();
    const query = { ...this.filters, after: this.after, heartbeat: true };
    const source = new EventSource(this.client.address(PATH, query));
    this.#source = source;
    this.#expectHeartbeat();
    source.addEventListener("usage", (event) => {
      this.#expectHeartbeat();
      const answer = JSON.parse((event as MessageEvent<string>).data) as StreamAnswer;
      this.after = answer.next;
      this.listener.onRequests(answer.events);
    });
    source.addEventListener("heartbeat", () => this.#expectHeartbeat());
    source.addEventListener("open", () => {
      this.#expectHeartbeat();
      this.listener.onState(false);
    });
    source.addEventListener("error", () => {
      if (source !== this.#source) return;
      this.#expectHeartbeat();
      this.listener.onState(true);
      if (source.readyState === EventSource.CLOSED) this.#startPolling(0);
    });
  }

  /** Give the stream up unless it gives another sign of life in time. */
  #expectHeartbeat(): void {
    if (!this.#source) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.listener.onState(true);
      this.#startPolling(0);
    }, SILENCE_MS);
  }

  #startPolling(wait: number): void {
    this.#stop();
    this.#polls = 0;
    this.#hasFailed = false;
    this.#timer = setTimeout(() => this.#poll(), wait);
  }

  async #read(): Promise<StreamAnswer> {
    const query = { ...this.filters, after: this.after };
    const signal = AbortSignal.timeout(SILENCE_MS);
    return (await this.client.request({ method: "GET", path: PATH, query, signal })) as StreamAnswer;
  }

  async #poll(): Promise<void> {
    const timer = this.#timer;
    try {
      const answer = await this.#read();
      if (timer !== this.#timer) return;
      if (answer.events.length) this.listener.onRequests(answer.events);
      this.after = answer.next;
      this.listener.onState(false);
      // The stream had ended for what the polls failed with.
      if (this.#hasFailed) this.#polls = POLLS_BEFORE_RETRY;
      this.#hasFailed = false;
    } catch (problem) {
      if (timer !== this.#timer) return;
      this.listener.onState(true);
      if (isSignedOut(problem)) return;
      this.#hasFailed = true;
    }
    this.#polls += 1;
    if (this.#polls >= POLLS_BEFORE_RETRY && !this.client.isKeyed) this.#listen();
    else this.#timer = setTimeout(() => this.#poll(), POLL_MS);
  }
}

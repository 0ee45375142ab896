import type { Client, Query } from "./client.js";
import { isSignedOut } from "./problem.js";

const POLL_MS = 1500;
/** Time after which a read without an answer is no sign of life. */
const LATE_MS = 1_500;
const POLLS_BEFORE_RETRY = 20;
/** Time after which a stream without its heartbeat, sent every 10 s, or a read without an answer is given up. */
const SILENCE_MS = 25_000;

export type StreamState = "live" | "polling" | "late" | "lost";

/**
 * What the service sends as it happens, in order and without gaps: server-sent events, resumed by the browser after a
 * break, and JSON reads where a proxy between the page and the service blocks streams, or a stream could not carry the
 * key.
 *
 * A connection can stay open and carry nothing: the service is stopped, or a network on the way has forgotten it. The
 * heartbeat tells that apart from a quiet service. A silent stream is lost; reads go on until one is answered.
 *
 * A page that is hidden listens to nothing and catches up when it is shown: a browser has six connections to a service
 * for all its tabs together, and each stream keeps one of them.
 */
export abstract class Feed<Answer> {
  /** Cursor behind what was received last. */
  protected after = 0;
  #polls = 0;
  /** Whether the newest poll failed. */
  #hasFailed = false;
  /** Whether the newest poll is without an answer for longer than one should take. */
  #isLate = false;
  #source: EventSource | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Ends the watch of the page's visibility. */
  #watch: AbortController | null = null;

  constructor(
    protected readonly client: Client,
    private readonly path: string,
    /** Names of the events of the stream. */
    private readonly kinds: readonly string[],
    private readonly filters: Query = {},
  ) {}

  /** Take what a read answers, and move the cursor. */
  protected abstract take(answer: Answer): void;
  /** Take one event of the stream, and move the cursor. */
  protected abstract takeEvent(kind: string, event: MessageEvent<string>): void;
  /** `problem`: the reason that the service gave. */
  protected abstract tell(state: StreamState, problem?: unknown): void;

  open(): void {
    this.#watch = new AbortController();
    document.addEventListener("visibilitychange", () => this.#follow(), { signal: this.#watch.signal });
    this.#follow();
  }

  /**
   * Ask again at once: the service has answered something else while the events are lost. A read that has only just
   * begun is left alone. Returns whether it was asked.
   */
  askNow(): boolean {
    if (!this.#watch || document.hidden || !(this.#source || this.#isLate)) return false;
    if (this.#source) this.#listen();
    else this.#startPolling();
    return true;
  }

  close(): void {
    this.#watch?.abort();
    this.#watch = null;
    this.#stop();
  }

  /** Listen while the page is shown. */
  #follow(): void {
    if (document.hidden) this.#stop();
    else if (this.client.isKeyed) this.#startPolling();
    else this.#listen();
  }

  #stop(): void {
    this.#isLate = false;
    this.#source?.close();
    this.#source = null;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #listen(): void {
    this.#stop();
    const source = new EventSource(
      this.client.address(this.path, { ...this.filters, after: this.after, heartbeat: "true" }),
    );
    this.#source = source;
    this.#expectHeartbeat();
    source.addEventListener("open", () => {
      this.#expectHeartbeat();
      this.tell("live");
    });
    source.addEventListener("heartbeat", () => this.#expectHeartbeat());
    source.addEventListener("error", () => {
      if (source !== this.#source) return;
      this.#expectHeartbeat();
      this.tell("lost");
      if (source.readyState === EventSource.CLOSED) this.#startPolling();
    });
    for (const kind of this.kinds) {
      source.addEventListener(kind, (event) => {
        this.#expectHeartbeat();
        this.takeEvent(kind, event as MessageEvent<string>);
      });
    }
  }

  /** Give the stream up unless it gives another sign of life in time. */
  #expectHeartbeat(): void {
    if (!this.#source) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.tell("lost");
      this.#startPolling();
    }, SILENCE_MS);
  }

  #startPolling(): void {
    this.#stop();
    this.#polls = 0;
    this.#hasFailed = false;
    // At once: the service may have refused the stream for a reason that an answer tells.
    this.#timer = setTimeout(() => this.#poll());
  }

  #read(signal: AbortSignal): Promise<Answer> {
    const query = { ...this.filters, after: this.after };
    return this.client.request({ method: "GET", path: this.path, query, signal }) as Promise<Answer>;
  }

  async #poll(): Promise<void> {
    const timer = this.#timer;
    const late = setTimeout(() => {
      if (timer !== this.#timer) return;
      this.#isLate = true;
      this.tell("late");
    }, LATE_MS);
    try {
      const answer = await this.#read(AbortSignal.timeout(SILENCE_MS));
      if (timer !== this.#timer) return;
      this.#isLate = false;
      this.take(answer);
      this.tell("polling");
      // The stream had ended for what the polls failed with.
      if (this.#hasFailed) this.#polls = POLLS_BEFORE_RETRY;
      this.#hasFailed = false;
    } catch (problem) {
      if (timer !== this.#timer) return;
      this.#isLate = false;
      this.tell("lost", problem);
      if (isSignedOut(problem)) return;
      this.#hasFailed = true;
    } finally {
      clearTimeout(late);
    }
    this.#polls += 1;
    if (this.#polls >= POLLS_BEFORE_RETRY && !this.client.isKeyed) this.#listen();
    else this.#timer = setTimeout(() => this.#poll(), POLL_MS);
  }
}

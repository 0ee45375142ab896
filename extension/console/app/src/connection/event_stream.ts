import { EVENT_TYPES, type EventKind, type Reads } from "./api.js";
import type { Client } from "./client.js";
import { EVENTS } from "./known_reads.js";
import { isSignedOut } from "./problem.js";

const POLL_MS = 1500;
/** Time after which a read without an answer is no sign of life. */
const LATE_MS = 1_500;
const POLLS_BEFORE_RETRY = 20;
/** Time after which a stream without its heartbeat, sent every 10 s, or a read without an answer is given up. */
const SILENCE_MS = 25_000;

/** One event of the service. */
export interface ServiceEvent {
  seq: number;
  kind: EventKind;
  run: string | number | null;
  data: Record<string, unknown>;
}

export type StreamState = "live" | "polling" | "late" | "lost";

export interface StreamListener {
  onEvent(event: ServiceEvent): void;
  /** `problem`: the reason that the service gave. */
  onState(state: StreamState, problem?: unknown): void;
}

/** Parse a server-sent event, whole in its data as JSON; null for anything else. */
export function parseEvent(kind: EventKind, id: string, text: string): ServiceEvent | null {
  try {
    const body = JSON.parse(text);
    if (!body || typeof body !== "object") return null;
    const seq = Number(body.seq ?? id);
    if (!Number.isFinite(seq)) return null;
    return { seq, kind, run: body.run ?? null, data: body.data ?? body };
  } catch {
    return null;
  }
}

/**
 * Event stream of the service, in order and without gaps: server-sent events, resumed by the browser after a break, and
 * JSON reads where a proxy between the page and the service blocks streams, or a stream could not carry the key.
 *
 * A connection can stay open and carry nothing: the service is stopped, or a network on the way has forgotten it. The
 * heartbeat tells that apart from a quiet service. A silent stream is lost; reads go on until one is answered.
 *
 * A page that is hidden listens to nothing and catches up when it is shown: a browser has six connections to a service
 * for all its tabs together, and each stream keeps one of them.
 */
export class EventStream {
  #after = 0;
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
    private readonly client: Client,
    private readonly listener: StreamListener,
  ) {}

  /**
   * Find the end of the event log. A read after this call plus every later event is a complete state.
   *
   * The service answers a cursor beyond the end with the newest one, so no past event is read.
   */
  async findEnd(): Promise<void> {
    const { next } = await this.client.get(EVENTS, { after: Number.MAX_SAFE_INTEGER });
    this.#after = next;
  }

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
    const source = new EventSource(this.client.address(EVENTS, { after: this.#after, heartbeat: "true" }));
    this.#source = source;
    this.#expectHeartbeat();
    source.addEventListener("open", () => {
      this.#expectHeartbeat();
      this.listener.onState("live");
    });
    source.addEventListener("heartbeat", () => this.#expectHeartbeat());
    source.addEventListener("error", () => {
      if (source !== this.#source) return;
      this.#expectHeartbeat();
      this.listener.onState("lost");
      if (source.readyState === EventSource.CLOSED) this.#startPolling();
    });
    for (const kind of EVENT_TYPES) {
      source.addEventListener(kind, ({ data, lastEventId }: MessageEvent<string>) => {
        this.#expectHeartbeat();
        this.#deliver(parseEvent(kind, lastEventId, data));
      });
    }
  }

  /** Give the stream up unless it gives another sign of life in time. */
  #expectHeartbeat(): void {
    if (!this.#source) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.listener.onState("lost");
      this.#startPolling();
    }, SILENCE_MS);
  }

  #deliver(event: ServiceEvent | null): void {
    if (!event) return;
    this.#after = event.seq;
    this.listener.onEvent(event);
  }

  #startPolling(): void {
    this.#stop();
    this.#polls = 0;
    this.#hasFailed = false;
    // At once: the service may have refused the stream for a reason that an answer tells.
    this.#timer = setTimeout(() => this.#poll());
  }

  #read(signal: AbortSignal): Promise<Reads["inspections/events"]> {
    const answered = this.client.request({ method: "GET", path: EVENTS, query: { after: this.#after }, signal });
    return answered as Promise<Reads["inspections/events"]>;
  }

  async #poll(): Promise<void> {
    const timer = this.#timer;
    const late = setTimeout(() => {
      if (timer !== this.#timer) return;
      this.#isLate = true;
      this.listener.onState("late");
    }, LATE_MS);
    try {
      const { events, next } = await this.#read(AbortSignal.timeout(SILENCE_MS));
      if (timer !== this.#timer) return;
      this.#isLate = false;
      for (const event of events) this.#deliver(event);
      this.#after = next ?? this.#after;
      this.listener.onState("polling");
      // The stream had ended for what the polls failed with.
      if (this.#hasFailed) this.#polls = POLLS_BEFORE_RETRY;
      this.#hasFailed = false;
    } catch (problem) {
      if (timer !== this.#timer) return;
      this.#isLate = false;
      this.listener.onState("lost", problem);
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

import { EVENT_TYPES, type EventKind, type Reads } from "./api.js";
import type { Client } from "./client.js";
import { Feed, type StreamState } from "./feed.js";
import { EVENTS } from "./known_reads.js";

/** One event of the service. */
export interface ServiceEvent {
  seq: number;
  kind: EventKind;
  run: string | number | null;
  data: Record<string, unknown>;
}

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

/** Event log of the service. */
export class EventStream extends Feed<Reads["inspections/events"]> {
  constructor(
    client: Client,
    private readonly listener: StreamListener,
  ) {
    super(client, EVENTS, EVENT_TYPES);
  }

  /**
   * Find the end of the event log. A read after this call plus every later event is a complete state.
   *
   * The service answers a cursor beyond the end with the newest one, so no past event is read.
   */
  async findEnd(): Promise<void> {
    const { next } = await this.client.get(EVENTS, { after: Number.MAX_SAFE_INTEGER });
    this.after = next;
  }

  protected take({ events, next }: Reads["inspections/events"]): void {
    for (const event of events) this.#deliver(event);
    this.after = next ?? this.after;
  }

  protected takeEvent(kind: EventKind, { data, lastEventId }: MessageEvent<string>): void {
    this.#deliver(parseEvent(kind, lastEventId, data));
  }

  protected tell(state: StreamState, problem?: unknown): void {
    this.listener.onState(state, problem);
  }

  #deliver(event: ServiceEvent | null): void {
    if (!event) return;
    this.after = event.seq;
    this.listener.onEvent(event);
  }
}

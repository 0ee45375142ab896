/** New requests that pass the filters as they are stored, from the newest one in view on. */

import type { StreamAnswer, UsageView } from "../../connection/api.js";
import type { Client } from "../../connection/client.js";
import { Feed, type StreamState } from "../../connection/feed.js";

export interface LiveListener {
  /** New requests, the oldest first. */
  onRequests: (requests: UsageView[]) => void;
  onState: (isLost: boolean) => void;
}

export class LiveRequests extends Feed<StreamAnswer> {
  constructor(
    client: Client,
    after: number,
    filters: Record<string, string>,
    private readonly listener: LiveListener,
  ) {
    super(client, "../usage/stream", ["usage"], filters);
    this.after = after;
    this.open();
  }

  protected take({ events, next }: StreamAnswer): void {
    this.after = next;
    if (events.length) this.listener.onRequests(events);
  }

  protected takeEvent(_kind: string, { data }: MessageEvent<string>): void {
    this.take(JSON.parse(data));
  }

  protected tell(state: StreamState): void {
    if (state !== "late") this.listener.onState(state === "lost");
  }
}

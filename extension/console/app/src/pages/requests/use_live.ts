import { useSignal, type ReadonlySignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { UsageView } from "../../connection/api.js";
import { useServices } from "../../shell/services.js";
import { LiveRequests } from "./live_requests.js";
import { withNew } from "./model.js";

export interface LiveQuestion {
  isOn: boolean;
  /** What period and filters depend on. */
  key: string;
  /** Requests that are shown; null before they are read. */
  rows: readonly UsageView[] | null;
  start: number;
  filters: Record<string, string>;
}

/** Follow new requests while that is on. Returns them, the newest first, and whether the connection is lost. */
export function useLive({ isOn, key, rows, start, filters }: LiveQuestion): {
  arrived: ReadonlySignal<readonly UsageView[]>;
  isLost: ReadonlySignal<boolean>;
} {
  const { client, live } = useServices();
  const arrived = useSignal<readonly UsageView[]>([]);
  const isLost = useSignal(false);
  const isRead = rows !== null;
  useEffect(() => {
    arrived.value = [];
    if (!isOn || !isRead) return undefined;
    const open = () =>
      new LiveRequests(client, Math.max(0, ...(rows ?? []).map(({ seq }) => seq)), filters, {
        // Without a request in view the stream begins with the first one ever.
        onRequests: (requests) => {
          arrived.value = withNew(arrived.peek(), requests.filter(({ at }) => at >= start).reverse());
        },
        onState: (state) => {
          isLost.value = state;
        },
      });
    let followed = open();
    // The session of an earlier stream may have ended.
    const stop = live.on(["reload"], () => {
      followed.close();
      followed = open();
    });
    return () => {
      stop();
      followed.close();
    };
  }, [isOn, isRead, key]);
  return { arrived, isLost };
}

import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";

const STEP_MS = 30_000;
const now = signal(Date.now());
let users = 0;
let timer: ReturnType<typeof setInterval> | undefined;

/** Time in milliseconds for ages and waits in words; a view that reads it is drawn anew twice a minute. */
export function useNow(): number {
  useEffect(() => {
    users += 1;
    if (users === 1) {
      now.value = Date.now();
      timer = setInterval(() => {
        now.value = Date.now();
      }, STEP_MS);
    }
    return () => {
      users -= 1;
      if (!users) clearInterval(timer);
    };
  }, []);
  return now.value;
}

import { signal, useSignal, type ReadonlySignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { Client } from "../connection/client.js";
import { isSilent } from "../connection/problem.js";
import type { LiveKind } from "./live.js";
import { useServices } from "./services.js";

const SETTLE_MS = 400;

/** Newest answer of a read, and whether it is under way. The answer before stays until the next one is there. */
export class Reading<T> {
  readonly value = signal<T | null>(null);
  readonly problem = signal<unknown>(null);
  readonly isReading = signal(false);
  #newest = 0;

  /** Read; of several reads under way the answer to the newest counts. */
  async refresh(read: () => Promise<T>): Promise<void> {
    this.#newest += 1;
    const number = this.#newest;
    this.isReading.value = true;
    try {
      const value = await read();
      if (number !== this.#newest) return;
      this.value.value = value;
      this.problem.value = null;
    } catch (problem) {
      if (number === this.#newest && !isSilent(problem)) this.problem.value = problem;
    } finally {
      if (number === this.#newest) this.isReading.value = false;
    }
  }
}

export interface ReadingView<T> {
  value: ReadonlySignal<T | null>;
  problem: ReadonlySignal<unknown>;
  isReading: ReadonlySignal<boolean>;
  refresh: () => Promise<void>;
}

/**
 * Read for a view: at once, when `key` changes, and after events of these kinds, once for several that come together.
 *
 * `key` holds whatever the read depends on, such as a search; without it a change would not be read.
 */
export function useReading<T>(
  read: (client: Client) => Promise<T>,
  { key = "", on = [] }: { key?: string; on?: readonly LiveKind[] } = {},
): ReadingView<T> {
  const { client, live } = useServices();
  const reading = useSignal(new Reading<T>()).peek();
  const newest = useRef(read);
  newest.current = read;
  const refresh = () => reading.refresh(() => newest.current(client));
  useEffect(() => {
    void refresh();
  }, [key]);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = live.on([...on, "reload"], () => {
      clearTimeout(timer);
      timer = setTimeout(refresh, SETTLE_MS);
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [on.join()]);
  return { value: reading.value, problem: reading.problem, isReading: reading.isReading, refresh };
}

import { computed, signal } from "@preact/signals";
import type { EventKind } from "../connection/api.js";
import type { Client } from "../connection/client.js";
import { EventStream, type ServiceEvent } from "../connection/event_stream.js";
import type { StreamState } from "../connection/feed.js";
import { isOfStore, STORE } from "../connection/problem.js";
import type { Notices } from "./notices.js";

/** `reload`: events were missed, everything has to be read again. */
export type LiveKind = EventKind | "reload";
export type LiveListener = (event: ServiceEvent | null) => unknown;

const SILENCE_MS = 60_000;

/** Events of the service for the pages, and the sign that says whether they arrive. */
export class Live {
  readonly #listeners = new Set<{ kinds: ReadonlySet<LiveKind>; hear: LiveListener }>();
  readonly #state = signal<StreamState | "">("");
  readonly #isGatewaySilent = signal(false);
  readonly #isWaiting = signal(false);
  readonly #isWithoutStore = signal(false);
  readonly #stream: EventStream;
  #silence: ReturnType<typeof setTimeout> | undefined;
  /** Whether lost events were asked for anew, after another answer of the service. */
  #isAskedAnew = false;
  /** Whether events do not arrive: what was missed is read again when they do. */
  isLost = false;

  /** Name of the sign, a text of the group `live`; empty before the stream is open. */
  readonly sign = computed(() => {
    if (!this.#state.value) return "";
    if (this.#state.value === "lost") return this.#isWithoutStore.value ? "store" : "lost";
    if (this.#isGatewaySilent.value) return "gateway_silent";
    return this.#isWaiting.value ? "gateway_waiting" : this.#state.value;
  });

  constructor(
    private readonly client: Client,
    private readonly notices: Notices,
  ) {
    this.#stream = new EventStream(client, {
      onEvent: (event) => this.#tell(event.kind === "reset" ? "reload" : event.kind, event),
      onState: (state, problem) => this.#show(state, problem),
    });
  }

  /** Call a listener for events of these kinds, until the returned function is called. */
  on(kinds: readonly LiveKind[], hear: LiveListener): () => void {
    const listener = { kinds: new Set(kinds), hear };
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  /** Find the end of the event log. What is read from now on, and every later event, is complete. */
  async prepare(): Promise<void> {
    this.client.hasMissed = false;
    await this.#stream.findEnd();
  }

  open(): void {
    this.#stream.open();
  }

  /** Have everything read again. */
  reload(): void {
    this.client.hasMissed = false;
    this.#tell("reload", null);
  }

  close(): void {
    this.#stream.close();
    this.#state.value = "";
    this.hearGateway(true);
  }

  /**
   * Show whether the gateway answers the service. Silence counts for a while only: the page in view may ask nothing of
   * the gateway that would tell that it answers again.
   */
  hearGateway(answers: boolean): void {
    clearTimeout(this.#silence);
    this.#isGatewaySilent.value = !answers;
    if (!answers) this.#silence = setTimeout(() => this.hearGateway(true), SILENCE_MS);
  }

  /**
   * Hear that the service answered a request of the page. A read of the events may hang on a connection that is gone
   * for up to 25 seconds more: it is asked anew, once for each time that events turn out to be lost.
   */
  hearService(): void {
    if (this.isLost && !this.#isAskedAnew) this.#isAskedAnew = this.#stream.askNow();
  }

  /** Show whether the page in view waits for the gateway. */
  waitForGateway(isWaiting: boolean): void {
    this.#isWaiting.value = isWaiting;
  }

  #tell(kind: LiveKind, event: ServiceEvent | null): void {
    for (const { kinds, hear } of this.#listeners) {
      if (!kinds.has(kind)) continue;
      Promise.resolve(event)
        .then(hear)
        .catch((problem: unknown) => this.notices.showProblem("events", problem));
    }
  }

  #show(state: StreamState, problem?: unknown): void {
    if (state === "late" && this.isLost) return;
    this.#isAskedAnew = false;
    this.#state.value = state;
    // Without a problem the stream alone was lost, as when it is tried again: that says nothing about the reason.
    if (state !== "lost" || problem) this.#isWithoutStore.value = isOfStore(problem);
    if (isOfStore(problem)) this.notices.showProblem("events", problem);
    const isBack = this.isLost && state !== "lost";
    this.isLost = state === "lost";
    if (!isBack) return;
    this.notices.clear("events", STORE);
    // Events that were missed are sent again; reads that failed are not repeated by themselves.
    if (this.client.hasMissed) this.reload();
  }
}

import { Client, type Query, type Sent } from "./client.js";
import { QUESTIONS } from "./known_reads.js";
import { ReadPlaces } from "./read_places.js";

/** Paths that the service answers from the gateway, and is held up with by a silent one. */
const FROM_GATEWAY = [
  "pool",
  "pool/overview",
  "pool/plan",
  "pool/restore",
  "pool/entry",
  "inspections/cost",
  "inspections/plan",
];
/**
 * Time after which an answer is late enough to be spoken of. A stock gateway under the load of a run takes about a
 * second for a read: the sign would alternate all the time.
 */
const LATE_MS = 3_000;

/**
 * Client of one showing of a page: what it reads is given up when the page is left, and keeps no connection from the
 * next page. Changes are carried out whatever page is in view.
 */
export class PageClient extends Client {
  #late = 0;
  #places = new ReadPlaces();

  /** `owner` has the session, `left` ends the reads, `onLate` hears whether the gateway lets a read wait. */
  constructor(
    private readonly owner: Client,
    private readonly left: AbortSignal,
    private readonly onLate: (isLate: boolean) => void = () => {},
  ) {
    super(owner.base, { onAnswer: () => {}, onSignedOut: () => {} }, owner.isKeyed);
    this.pool = owner.pool;
  }

  override get leaving(): boolean {
    return this.owner.leaving;
  }

  override file(path: string, query: Query): Promise<{ name: string; content: Blob }> {
    return this.owner.file(path, query);
  }

  override async request(sent: Sent): Promise<unknown> {
    if (sent.method !== "GET" && !QUESTIONS.includes(sent.path)) return this.owner.request(sent);
    const isSlow = FROM_GATEWAY.includes(sent.path);
    const signal = sent.signal ? AbortSignal.any([sent.signal, this.left]) : this.left;
    const read = () => this.owner.request({ ...sent, signal });
    return this.#places.hold(isSlow, () => (isSlow ? this.#timed(read) : read()));
  }

  async #timed<T>(read: () => Promise<T>): Promise<T> {
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      this.#late += 1;
      if (this.#late === 1) this.onLate(true);
    }, LATE_MS);
    try {
      return await read();
    } finally {
      clearTimeout(timer);
      if (isLate) this.#late -= 1;
      if (isLate && !this.#late) this.onLate(false);
    }
  }
}

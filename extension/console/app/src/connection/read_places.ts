/** Open reads of one page: with the event stream they are four, of the six that a browser has for a service. */
const MOST = 3;
/** Reads that the gateway holds up: beside them is always a place for what the service knows by itself. */
const MOST_SLOW = 2;

/** Places for the open reads of a page; a read without a place waits for its turn. */
export class ReadPlaces {
  #taken = 0;
  #takenBySlow = 0;
  #waiting: { isSlow: boolean; begin: () => void }[] = [];

  async hold<T>(isSlow: boolean, act: () => Promise<T>): Promise<T> {
    await new Promise<void>((begin) => {
      this.#waiting.push({ isSlow, begin });
      this.#admit();
    });
    try {
      return await act();
    } finally {
      this.#taken -= 1;
      if (isSlow) this.#takenBySlow -= 1;
      this.#admit();
    }
  }

  #admit(): void {
    const at = this.#waiting.findIndex(
      ({ isSlow }) => this.#taken < MOST && (!isSlow || this.#takenBySlow < MOST_SLOW),
    );
    if (at < 0) return;
    const [{ isSlow, begin }] = this.#waiting.splice(at, 1);
    this.#taken += 1;
    if (isSlow) this.#takenBySlow += 1;
    begin();
    this.#admit();
  }
}

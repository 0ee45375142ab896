import { signal } from "@preact/signals";
import { ACTIVE_STATES, RESUMABLE_STATES, type RunView } from "../../connection/api.js";
import type { Client } from "../../connection/client.js";
import type { Settings } from "../../run_settings/fields.js";

export type RunCommand = "stop" | "pause" | "resume" | "finish";

const ACTIVE: readonly string[] = ACTIVE_STATES;
const RESUMABLE: readonly string[] = [...RESUMABLE_STATES, "paused"];
const NEWEST = 30;

export const isActive = ({ state }: RunView) => ACTIVE.includes(state);
export const isResumable = ({ state }: RunView) => RESUMABLE.includes(state);

/**
 * Runs of the pool, the newest first. Only readings are shown, later ones over earlier ones; the answer to a command is
 * followed by a new reading, because the run may have moved on while the answer was on its way.
 */
export class Runs {
  readonly list = signal<readonly RunView[]>([]);
  #begun = 0;
  /** Newest reading that is shown, by run. */
  readonly #shown = new Map<number, number>();

  constructor(private readonly client: Client) {}

  get active(): RunView | undefined {
    return this.list.value.find(isActive);
  }

  find(id: number | null): RunView | undefined {
    return this.list.value.find((run) => run.id === id);
  }

  async load(): Promise<void> {
    await this.#read({ limit: NEWEST });
  }

  async reload(id: number): Promise<void> {
    await this.#read({ run: id });
  }

  async start(settings: Settings): Promise<void> {
    const { run } = await this.client.post("inspections", settings);
    await this.reload(run.id);
  }

  async steer(command: RunCommand, run: number): Promise<void> {
    await this.client.post(`inspections/${command}`, undefined, { run });
    await this.reload(run);
  }

  progress(id: number, done: number, total: number): void {
    const run = this.list.peek().find((each) => each.id === id);
    if (run && isActive(run)) this.#put({ ...run, done: Math.max(done, run.done), total });
  }

  async #read(query: { limit?: number; run?: number }): Promise<void> {
    this.#begun += 1;
    const number = this.#begun;
    const { runs } = await this.client.get("inspections", query as Record<string, number>);
    for (const run of runs) {
      if (number < (this.#shown.get(run.id) ?? 0)) continue;
      this.#shown.set(run.id, number);
      // Events report progress as well: the count never goes back.
      const done = this.list.peek().find(({ id }) => id === run.id)?.done ?? 0;
      this.#put({ ...run, done: Math.max(run.done, done) });
    }
  }

  #put(run: RunView): void {
    const others = this.list.peek().filter(({ id }) => id !== run.id);
    this.list.value = [...others, run].sort((a, b) => b.id - a.id);
  }
}

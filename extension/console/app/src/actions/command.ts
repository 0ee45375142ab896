/**
 * A command that is sent once, and followed to its end even if its answer is lost: a connection can be cut, or a proxy
 * can give up, after the service has acted. The batch of the command is then looked for among those made since.
 */

import type { BatchView, Cause, CommandAnswer } from "../connection/api.js";
import type { Client } from "../connection/client.js";
import { ApiProblem, isAnswerLost, isUnanswered, leftPage } from "../connection/problem.js";
import { text } from "../language/catalogue.js";

/** Pauses between two looks at a batch: a single change ends at once, a large one is watched at leisure. */
const POLL_MS = [40, 80, 160, 400];
/** Looks without a word of progress, so that a change that ends at once does not flicker. */
const QUIET_LOOKS = 2;
/** Pauses between two looks for the batch of a lost answer. */
const PAUSES_MS = [500, 1_000, 2_000, 4_000];
/** Looks without a batch at a service that answers, before the change counts as not made. */
const VAIN_LOOKS = 4;
const NEWEST = 50;
const PAGE = 2_000;
const ACTIVE = ["waiting", "running"];
/** Code of a command of which the service has no record. */
export const NO_RECORD = "no_record";
/** Code of a change with which the gateway would drop parts of config.yaml; nothing was done. */
export const LOSS = "loss_not_accepted";

/** Fields that belong to every request. */
export interface Manner {
  background: true;
  acceptLoss?: true;
}

/** What tells the batch of a command from those of others. */
export interface Traits {
  cause?: Cause;
  accounts?: readonly number[];
}

export interface CommandListener {
  onProgress: (batch: BatchView) => void;
  /** The answer is lost. */
  onLost: () => void;
  /** Whether its end is still waited for. */
  isWanted: () => boolean;
}

export const isActive = ({ state }: BatchView) => ACTIVE.includes(state);

/** Return the number of the newest batch; 0 if there is none. */
export async function newestBatch(client: Client): Promise<number> {
  return (await client.get("pool/batches", { limit: 1 })).batches.at(0)?.id ?? 0;
}

/** One command of a person, sent once. */
export class Command {
  /** Whether the service has taken the command, or may have. */
  hasBegun = false;

  /** `newest` is the newest batch before the command. */
  constructor(
    private readonly client: Client,
    private readonly newest: number,
    private readonly acceptsLoss: boolean,
    private readonly listener: CommandListener,
  ) {}

  /** Send a command and follow its batch to its end. */
  async carryOut(send: (manner: Manner) => Promise<CommandAnswer>, traits: Traits = {}): Promise<CommandAnswer> {
    let known: BatchView | null = null;
    try {
      const begun = await send({ background: true, ...(this.acceptsLoss ? { acceptLoss: true } : {}) });
      this.hasBegun = true;
      known = begun.batch;
      return known && isActive(known) ? await this.#follow(known) : begun;
    } catch (problem) {
      if (!isAnswerLost(problem)) throw problem;
      this.hasBegun = true;
      this.listener.onLost();
      const id = known?.id;
      return await this.#found(() => (id === undefined ? this.#search(traits) : this.#read(id)));
    }
  }

  async #follow(batch: BatchView): Promise<CommandAnswer> {
    let newest = batch;
    for (let look = 0; isActive(newest); look += 1) {
      if (look >= QUIET_LOOKS) this.listener.onProgress(newest);
      await pause(POLL_MS[Math.min(look, POLL_MS.length - 1)]);
      newest = await this.#read(batch.id);
    }
    return this.#withActions(newest);
  }

  /** Look for a batch until the service answers, and follow it to its end. */
  async #found(look: () => Promise<BatchView | "later" | null>): Promise<CommandAnswer> {
    for (let looks = 0, vain = 0; vain < VAIN_LOOKS; looks += 1) {
      await pause(PAUSES_MS[Math.min(looks, PAUSES_MS.length - 1)]);
      if (!this.listener.isWanted()) throw leftPage();
      try {
        const batch = await look();
        if (batch && batch !== "later") return await (isActive(batch) ? this.#follow(batch) : this.#withActions(batch));
        if (!batch) vain += 1;
      } catch (problem) {
        if (!isUnanswered(problem)) throw problem;
      }
    }
    throw new ApiProblem({ code: NO_RECORD, message: text("lost.no_record"), hint: text("lost.no_record_hint") });
  }

  async #read(batch: number): Promise<BatchView> {
    return (await this.client.get("pool/batches", { batch })).batches[0];
  }

  async #withActions(batch: BatchView): Promise<CommandAnswer> {
    const { actions } = await this.client.get("pool/actions", { batch: batch.id, limit: PAGE });
    return { batch, actions: actions.reverse() };
  }

  /** Return the batch of a command whose answer is lost: the oldest since then of its cause and of one of its accounts. */
  async #search({ cause = "request", accounts }: Traits): Promise<BatchView | "later" | null> {
    const { batches } = await this.client.get("pool/batches", { limit: NEWEST });
    const since = batches.filter((batch) => batch.id > this.newest && batch.cause === cause);
    let isOpen = false;
    for (const batch of since.reverse()) {
      const { actions } = await this.client.get("pool/actions", { batch: batch.id, limit: 1 });
      const first = actions.at(0);
      if (first && (!accounts || accounts.includes(first.account))) return batch;
      isOpen ||= !first && isActive(batch);
    }
    return isOpen ? "later" : null;
  }
}

async function pause(ms: number): Promise<void> {
  await new Promise((resume) => {
    setTimeout(resume, ms);
  });
}

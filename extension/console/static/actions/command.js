/**
 * A command that is sent once, and followed to its end even if its answer is lost: a connection can be cut, or a proxy
 * can give up, after the service has acted. The batch of the command is then looked for among those made since.
 */

import { ApiProblem, isAnswerLost, isUnanswered, leftPage } from "../connection/problem.js";
import { text } from "../language/catalogue.js";
import { followed, isActive, withActions } from "./batch_progress.js";

/**
 * @import { BatchView, Cause, CommandAnswer } from "../../_generated_types.js"
 * @import { Client } from "../connection/client.js"
 * @typedef {{background: true, acceptLoss?: true}} Accepted
 * @typedef {{cause?: Cause, accounts?: number[]}} Traits what tells the batch of a command from those of others
 */

/** Pauses between two looks for a batch. */
const PAUSES_MS = [500, 1_000, 2_000, 4_000];
/** Looks without a batch at a service that answers, before the change counts as not made. */
const VAIN_LOOKS = 4;
const NEWEST = 50;
/** Code of a command of which the service has no record. */
export const NO_RECORD = "no_record";
/** Code of a change with which the gateway would drop parts of config.yaml; nothing was done. */
export const LOSS = "loss_not_accepted";

/**
 * Return the number of the newest batch; 0 if there is none.
 *
 * @param {Client} client
 */
export async function newestBatch(client) {
  const { batches } = await client.get("pool/batches", { limit: 1 });
  return batches[0]?.id ?? 0;
}

/** One command of a person, sent once. */
export class Command {
  /** Whether the service has taken the command, or may have. */ hasBegun = false;
  /** Whether the person accepts what the gateway drops from config.yaml. */ acceptsLoss = false;

  /**
   * @param {Client} client
   * @param {number} newest batch before the command
   * @param {object} listener
   * @param {(batch: BatchView) => void} listener.onProgress
   * @param {() => void} listener.onLost called when the answer is lost
   * @param {() => boolean} listener.isWanted whether its end is still waited for
   */
  constructor(client, newest, listener) {
    this.client = client;
    this.newest = newest;
    this.listener = listener;
  }

  /**
   * Send a command and follow its batch to its end.
   *
   * @param {(more: Accepted) => Promise<CommandAnswer>} send with the fields that belong to every request
   * @param {Traits} [traits]
   * @returns {Promise<CommandAnswer>}
   */
  async carryOut(send, traits = {}) {
    /** @type {BatchView | null | undefined} */ let known;
    try {
      const begun = await send({ background: true, ...(this.acceptsLoss ? { acceptLoss: true } : {}) });
      this.hasBegun = true;
      known = begun.batch;
      return await followed(this.client, begun, this.listener.onProgress);
    } catch (problem) {
      if (!isAnswerLost(problem)) throw problem;
      this.hasBegun = true;
      this.listener.onLost();
      return await this.#found(() => (known ? this.#read(known.id) : this.#search(traits)));
    }
  }

  /**
   * Look for a batch until the service answers, and follow it to its end.
   *
   * @param {() => Promise<BatchView | "later" | null>} look
   */
  async #found(look) {
    for (let looks = 0, vain = 0; vain < VAIN_LOOKS; looks += 1) {
      const pause = PAUSES_MS[Math.min(looks, PAUSES_MS.length - 1)];
      await new Promise((resolve) => { setTimeout(resolve, pause); });
      if (!this.listener.isWanted()) throw leftPage();
      try {
        const batch = await look();
        if (batch && batch !== "later") return await this.#followed(batch);
        if (!batch) vain += 1;
      } catch (problem) {
        if (!isUnanswered(problem)) throw problem;
      }
    }
    throw new ApiProblem({ code: NO_RECORD, message: text("lost.no_record"), hint: text("lost.no_record_hint") });
  }

  /** @param {BatchView} batch */
  #followed(batch) {
    return isActive(batch) ? followed(this.client, { batch, actions: [] }, this.listener.onProgress)
      : withActions(this.client, batch);
  }

  /** @param {number} id */
  async #read(id) {
    const { batches: [batch] } = await this.client.get("pool/batches", { batch: id });
    return batch;
  }

  /**
   * Return the batch of a command whose answer is lost: the oldest since then of its cause and of one of its accounts.
   *
   * @param {Traits} traits
   */
  async #search({ cause = "request", accounts }) {
    const { batches } = await this.client.get("pool/batches", { limit: NEWEST });
    const since = batches.filter((batch) => batch.id > this.newest && batch.cause === cause);
    let isOpen = false;
    for (const batch of since.reverse()) {
      const { actions: [first] } = await this.client.get("pool/actions", { batch: batch.id, limit: 1 });
      if (first && (!accounts || accounts.includes(first.account))) return batch;
      isOpen ||= !first && isActive(batch);
    }
    return isOpen ? "later" : null;
  }
}

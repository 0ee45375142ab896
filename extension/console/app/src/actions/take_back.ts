/** Takes changes back: switched accounts get their state before, deleted files are written again. */

import { signal } from "@preact/signals";
import { ApiProblem } from "../connection/problem.js";
import { text } from "../language/catalogue.js";
import type { Services } from "../shell/services.js";

const LOSS = "loss_not_accepted";
const TOPIC = "take-back";

/** What to take back: a batch as a whole, or some of its actions; and accounts whose deleted file is kept. */
export interface Reversal {
  batch?: number;
  actions?: readonly number[];
  accounts?: readonly number[];
  /** Number of changes. */
  n: number;
}

/** A reversal that would drop parts of the configuration, and what the service says of it. */
export const lossToAccept = signal<{ reversal: Reversal; words: string } | null>(null);

/**
 * Begin a reversal; its progress is that of the batch it makes. One that drops parts of the configuration is asked
 * about first.
 */
export async function takeBack(
  { client, notices }: Pick<Services, "client" | "notices">,
  reversal: Reversal,
  acceptLoss = false,
): Promise<void> {
  const { batch, actions, accounts = [], n } = reversal;
  lossToAccept.value = null;
  await notices.attempt(TOPIC, async () => {
    try {
      const chosen = batch === undefined ? { actions } : { batch };
      if (batch !== undefined || actions?.length) {
        await client.post("pool/undo", { ...chosen, background: true, ...(acceptLoss ? { acceptLoss } : {}) });
      }
      if (accounts.length) await client.post("pool/restore", { accounts, background: true });
    } catch (problem) {
      if (!(problem instanceof ApiProblem) || problem.code !== LOSS) throw problem;
      lossToAccept.value = { reversal, words: [problem.message, problem.hint].filter(Boolean).join(" ") };
      return;
    }
    notices.show(`${TOPIC}-begun`, { isToast: true, text: text("activity.taking_back", { n }) });
  });
}

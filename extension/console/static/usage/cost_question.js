/** Question why a sum of costs is what it is, asked of the service and answered in a dialog. */

import { isSignedOut } from "../connection/problem.js";
import { costDialog } from "./cost_dialog.js";

/**
 * @import { PageContext } from "../shell/context.js"
 * @import { Sum } from "./cost_dialog.js"
 */

/**
 * Explain a sum.
 *
 * @param {Pick<PageContext, "client" | "notices">} context
 * @param {HTMLElement} place of the dialog; nothing is shown once the page was left
 * @param {{start: number, end: number} & Record<string, string | number>} scope of the requests, as the sum was read
 * @param {{subject: string, sum: Sum, isPartial: boolean}} question
 */
export async function explainSum({ client, notices }, place, scope, { subject, sum, isPartial }) {
  try {
    const explanation = await client.get("../usage/explanation", scope);
    if (!place.isConnected) return;
    const dialog = costDialog(subject, sum, explanation, isPartial);
    place.append(dialog);
    dialog.showModal();
    notices.clear("cost");
  } catch (problem) {
    if (!isSignedOut(problem)) notices.showProblem("cost", problem);
  }
}

import { accountName } from "../formatting.js";
import { listing, paragraph, titled } from "./listing.js";

/**
 * @import { DifferenceAnswer, PictureView } from "../../_generated_types.js"
 * @import { Vocabulary } from "../table/vocabulary.js"
 */

/**
 * Changes since the previous run.
 *
 * @param {DifferenceAnswer} difference
 * @param {Vocabulary} vocabulary
 */
export function differenceList({ against, changes }, vocabulary) {
  if (against === null) {
    return titled("Changes since the previous run", paragraph("No earlier run checked the same accounts."));
  }
  const title = `Changes since run ${against}`;
  if (!changes.length) return titled(title, paragraph("No account changed its status, recommendation or state."));
  const rows = changes.map(({ account, displayName, keyHint, before, after }) => [
    accountName({ id: account, displayName, keyHint }),
    before ? pictureText(before, vocabulary) : "not in that run",
    after ? pictureText(after, vocabulary) : "not in this run",
  ]);
  return titled(title, listing(["Account", "Before", "Now"], rows));
}

/**
 * @param {PictureView} picture
 * @param {Vocabulary} vocabulary
 */
function pictureText({ verdict, action, enabled }, vocabulary) {
  const state = enabled === null ? "state unknown" : enabled ? "enabled" : "disabled";
  return `${vocabulary.verdict(verdict)}, ${state}, recommended: ${action}`;
}

import { element } from "../dom.js";
import { listing, paragraph, titled } from "./listing.js";
import { text, tokenText } from "../language/catalogue.js";
import { placedNodes } from "../layout/account_name.js";

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
    return titled(text("difference.title"), paragraph(text("difference.none_before")));
  }
  const title = text("difference.since", { run: String(against) });
  if (!changes.length) return titled(title, paragraph(text("difference.none")));
  const rows = changes.map(({ account, displayName, keyHint, place, before, after }) => [
    element("span", {}, ...placedNodes({ id: account, displayName, keyHint, place })),
    before ? pictureText(before, vocabulary) : text("difference.not_before"),
    after ? pictureText(after, vocabulary) : text("difference.not_now"),
  ]);
  return titled(title, listing([text("difference.account"), text("difference.before"), text("difference.now")], rows));
}

/**
 * @param {PictureView} picture
 * @param {Vocabulary} vocabulary
 */
function pictureText({ verdict, action, enabled }, vocabulary) {
  const state = enabled === null
    ? text("difference.state_unknown") : tokenText("state", enabled ? "enabled" : "disabled");
  return text("difference.entry", { status: vocabulary.verdict(verdict), state, action: tokenText("action", action) });
}

import { byId } from "../../dom.js";
import { unfold } from "../../layout/fold.js";
import { InspectionPage } from "./inspection_page.js";
import { layout } from "./layout.js";
import { LinkedView, showLinkedSource } from "./linked_view.js";

/**
 * Mount the inspection page. It can be left while it is still reading.
 *
 * @type {import("../../shell/router.js").Mount}
 */
export function mount(root, context) {
  root.append(...layout());
  showLinkedSource(context);
  const page = new InspectionPage(context);
  unfoldUsed(page, context);
  const linked = new LinkedView(context, page);
  const left = new AbortController();
  page.connect();
  follow(page, linked, left.signal);
  return () => {
    left.abort();
    page.leave();
  };
}

/**
 * Unfold what holds choices that decide which accounts are shown.
 *
 * @param {InspectionPage} page
 * @param {import("../../shell/context.js").PageContext} context
 */
function unfoldUsed(page, { query, store: { current } }) {
  if (current.targetType !== "all" || current.providerFilter) unfold(byId("family"));
  if (page.accounts.table.filterBar.isChosen || query.get("run")) unfold(byId("filters"));
}

/**
 * Show what the address names once the page has its rows, unless it is left by then.
 *
 * @param {InspectionPage} page
 * @param {LinkedView} linked
 * @param {AbortSignal} left
 */
async function follow(page, linked, left) {
  await page.reload();
  if (!left.aborted) await linked.follow();
  if (!left.aborted) linked.connect(left);
}

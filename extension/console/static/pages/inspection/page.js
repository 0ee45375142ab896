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
  page.connect();
  const left = new AbortController();
  followLink(page, new LinkedView(context, page), left.signal);
  return () => {
    left.abort();
    page.leave();
  };
}

/**
 * @param {InspectionPage} page
 * @param {LinkedView} linked
 * @param {AbortSignal} signal
 */
async function followLink(page, linked, signal) {
  await page.reload();
  if (signal.aborted) return;
  await linked.follow();
  if (!signal.aborted) linked.connect(signal);
}

import { InspectionPage } from "./inspection_page.js";
import { layout } from "./layout.js";
import { LinkedView, showLinkedSource } from "./linked_view.js";

/**
 * Mount the inspection page.
 *
 * @type {import("../../shell/router.js").Mount}
 */
export async function mount(root, context) {
  root.append(...layout());
  showLinkedSource(context);
  const page = new InspectionPage(context);
  const linked = new LinkedView(context, page);
  page.connect();
  await page.reload();
  await linked.follow();
  const left = new AbortController();
  linked.connect(left.signal);
  return () => {
    left.abort();
    page.leave();
  };
}

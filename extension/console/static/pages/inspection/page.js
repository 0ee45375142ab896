import { InspectionPage } from "./inspection_page.js";
import { layout } from "./layout.js";

/**
 * Mount the inspection page.
 *
 * @type {import("../../shell/router.js").Mount}
 */
export function mount(root, context) {
  root.append(...layout());
  const page = new InspectionPage(context);
  page.connect();
  page.reload();
  return () => page.leave();
}

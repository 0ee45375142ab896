import { SETTING_LIMITS } from "../../_generated_constants.js";
import { InspectionPage } from "./inspection_page.js";
import { layout } from "./layout.js";

/**
 * Mount the inspection page. A link may name the source and the run in view.
 *
 * @type {import("../../shell/router.js").Mount}
 */
export async function mount(root, context) {
  const { query } = context;
  const source = SETTING_LIMITS.accountSource.values.find((name) => name === query.get("source"));
  if (source) context.source.choose(source);
  root.append(...layout());
  const page = new InspectionPage(context);
  page.connect();
  await page.reload();
  const run = page.runs.find(Number(query.get("run")));
  if (run) await page.runView.choose(run);
  return () => page.leave();
}

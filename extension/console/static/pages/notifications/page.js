import { WebhookPanel } from "../../notifications/webhook_panel.js";
import { pagePanel } from "../../shell/page_panel.js";

/**
 * Mount the page of the notifications.
 *
 * @type {import("../../shell/router.js").Mount}
 */
export async function mount(root, { client, live, notices, text }) {
  const panel = pagePanel("webhook", text("pages.notifications"));
  root.append(panel);
  const webhook = new WebhookPanel(panel, client, (act) => notices.attempt("webhook", act));
  const stop = live.on(["webhook", "run.state", "reload"], () => webhook.refresh());
  await webhook.refresh();
  return stop;
}

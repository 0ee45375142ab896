import { element } from "../../dom.js";
import { ChannelPanel } from "../../notifications/channel_panel.js";
import { WebhookPanel } from "../../notifications/webhook_panel.js";
import { pagePanel } from "../../shell/page_panel.js";

/**
 * Mount the page of the notifications.
 *
 * @type {import("../../shell/router.js").Mount}
 */
export async function mount(root, { client, live, notices, text }) {
  const webhookPanel = pagePanel("webhook", text("pages.notifications"));
  const channelPanel = element("section", {
    class: "panel", attributes: { id: "channels", "aria-labelledby": "channels-heading" },
  }, element("h2", { text: text("channels.title"), attributes: { id: "channels-heading", tabindex: -1 } }),
  element("div", { class: "drawer" }));
  root.append(webhookPanel, channelPanel);
  const webhook = new WebhookPanel(webhookPanel, client, (act) => notices.attempt("webhook", act));
  const channels = new ChannelPanel(channelPanel, client, (act) => notices.attempt("channels", act));
  const refresh = () => Promise.all([webhook.refresh(), channels.refresh()]);
  const stop = live.on(["webhook", "run.state", "reload"], refresh);
  await refresh();
  return () => {
    stop();
    channels.leave();
  };
}

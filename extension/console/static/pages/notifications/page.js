import { ChannelPanel } from "../../notifications/channel_panel.js";
import { pagePanel } from "../../shell/page_panel.js";

/**
 * Mount the page of the notifications.
 *
 * @type {import("../../shell/router.js").Mount}
 */
export async function mount(root, { client, live, notices, text }) {
  const panel = pagePanel("channels", text("pages.notifications"));
  root.append(panel);
  const channels = new ChannelPanel(panel, client, (act) => notices.attempt("channels", act));
  const refresh = () => channels.refresh();
  const stop = live.on(["channel", "run.state", "reload"], refresh);
  await refresh();
  return () => {
    stop();
    channels.leave();
  };
}

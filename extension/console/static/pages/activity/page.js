import { ActionLogPanel } from "../../action_log/action_log_panel.js";
import { ActionDialog } from "../../actions/action_dialog.js";
import { pagePanel } from "../../shell/page_panel.js";

const SETTLE_MS = 400;

/**
 * Mount the page of the action log.
 *
 * @type {import("../../shell/router.js").Mount}
 */
export async function mount(root, { client, live, notices, query, text }) {
  const panel = pagePanel("action-log", text("pages.activity"));
  root.append(panel);
  /** @type {ActionLogPanel | null} */
  let log = null;
  const refresh = async () => { await log?.refresh(); };
  const dialog = new ActionDialog(client, refresh, notices);
  log = new ActionLogPanel(panel, client, dialog, notices, query);
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  const soon = () => {
    clearTimeout(timer);
    timer = setTimeout(refresh, SETTLE_MS);
  };
  const stop = live.on(["action", "batch", "reload"], soon);
  await refresh();
  return () => {
    stop();
    clearTimeout(timer);
    dialog.leave();
  };
}

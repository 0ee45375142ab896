import { SchedulePanel } from "../../schedules/schedule_panel.js";
import { pagePanel } from "../../shell/page_panel.js";

/** Topic of the notice about a schedule without accounts. */
const SCOPE = "schedule-scope";

/**
 * Mount the page of the schedules.
 *
 * @type {import("../../shell/router.js").Mount}
 */
export async function mount(root, { client, live, notices, store, text }) {
  const panel = pagePanel("schedules", text("pages.schedules"));
  root.append(panel);
  /** @param {string} warning */
  const warn = (warning) => {
    if (warning) notices.show(SCOPE, { level: "warning", text: warning });
    else notices.clear(SCOPE);
  };
  const schedules = new SchedulePanel(panel, client, store, (act) => notices.attempt("schedules", act), warn,
    (said) => notices.show("schedule-removed", { text: said, isToast: true }));
  const stop = live.on(["schedule", "run.state", "reload"], () => schedules.refresh());
  await schedules.refresh();
  return () => {
    stop();
    schedules.leave();
  };
}

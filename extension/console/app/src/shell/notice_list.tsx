import { CircleAlert, Info, TriangleAlert, X } from "lucide";
import { text } from "../language/catalogue.js";
import { Button } from "../parts/button.js";
import { Icon } from "../parts/icon.js";
import type { Notice, Notices } from "./notices.js";

const ICONS = { info: Info, warning: TriangleAlert, error: CircleAlert };

/** Notices above the page. */
export function NoticeList({ notices }: { notices: Notices }) {
  const list = notices.list.value.filter(({ isToast }) => !isToast);
  return (
    <div class="notices" role="region" aria-label={text("shell.notices")} hidden={!list.length}>
      {list.map((notice) => (
        <NoticeView key={notice.topic} notice={notice} notices={notices} />
      ))}
    </div>
  );
}

/** Notices over the lower edge of the window, in sight wherever the page is scrolled to. */
export function Toasts({ notices }: { notices: Notices }) {
  const list = notices.list.value.filter(({ isToast }) => isToast);
  return (
    <div class="toasts">
      {list.map((notice) => (
        <NoticeView key={notice.topic} notice={notice} notices={notices} />
      ))}
    </div>
  );
}

function NoticeView({ notice, notices }: { notice: Notice; notices: Notices }) {
  const { topic, level, hint, details = [], action, isToast } = notice;
  return (
    <div class={isToast ? "notice toast" : "notice"} data-level={level} role={level === "error" ? "alert" : "status"}>
      {!isToast && <Icon of={ICONS[level]} />}
      <div class="grow">
        <p>{notice.text}</p>
        {hint && <p class="quiet">{hint}</p>}
        {details.length > 0 && (
          <details>
            <summary>{text("problem.details")}</summary>
            <ul>
              {details.map((line) => (
                <li key={line}>{line}</li>
              ))}
            </ul>
          </details>
        )}
      </div>
      {action && (
        <Button
          size="small"
          onPress={() => {
            leave();
            notices.clear(topic);
            return action.act();
          }}
        >
          {action.label}
        </Button>
      )}
      <Button
        size="small"
        kind="ghost"
        icon={X}
        label={text("problem.dismiss")}
        onPress={() => {
          leave();
          notices.dismiss(notice);
        }}
      />
    </div>
  );
}

/** Take the keyboard out of a notice that goes away. */
function leave(): void {
  document.getElementById("page")?.focus({ preventScroll: true });
}

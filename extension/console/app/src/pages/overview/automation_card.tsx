import { text } from "../../language/catalogue.js";
import { formatClock, formatTime } from "../../language/formats.js";
import { Button } from "../../parts/button.js";
import { Card } from "../../parts/card.js";
import { Content } from "../../parts/content.js";
import { Badge, StatusDot } from "../../parts/status.js";
import { useReading } from "../../shell/reading.js";
import { useServices } from "../../shell/services.js";
import { nextStart, timelineOf, type Automation, type Entry } from "./timeline.js";

const DAY = 24 * 3_600_000;
const MOST_ACTIONS = 2_000;
const MOST_RUNS = 60;
const MOST_SHOWN = 8;

/** What automation did in the last 24 hours, from the stored actions and runs: whoever looks, and how often, sees the same. */
export function AutomationCard() {
  const { automation } = useServices();
  const state = automation.state.value;
  const reading = useReading(
    async (client): Promise<Automation & { since: number }> => {
      const since = Date.now() - DAY;
      const [{ actions, reverted }, { runs }, { schedules }] = await Promise.all([
        client.get("pool/actions", { since, cause: "run", limit: MOST_ACTIONS }),
        client.get("inspections", { limit: MOST_RUNS }),
        client.get("inspections/schedules"),
      ]);
      return { since, actions, reverted, runs, schedules };
    },
    { on: ["run.state", "action", "batch", "schedule"] },
  );
  return (
    <Card
      title={text("overview.automation")}
      controls={
        state && (
          <Badge tone={state.paused ? "wait" : "good"}>
            <StatusDot tone={state.paused ? "wait" : "good"} />
            {text(state.paused ? "overview.automation_paused" : "overview.automation_on")}
          </Badge>
        )
      }
    >
      <Content reading={reading}>{(value) => <Timeline automation={value} since={value.since} />}</Content>
    </Card>
  );
}

function Timeline({ automation, since }: { automation: Automation; since: number }) {
  const entries = timelineOf(automation, since);
  const next = nextStart(automation.schedules);
  return (
    <>
      <ol class="listing">
        {entries.slice(0, MOST_SHOWN).map((entry) => (
          <EntryRow key={entry.id} entry={entry} />
        ))}
      </ol>
      {!entries.length && <p class="padded quiet">{text("overview.no_actions")}</p>}
      {entries.length > MOST_SHOWN && (
        <p class="padded">
          <a class="link" href="activity?cause=run">
            {text("count.more", { n: entries.length - MOST_SHOWN })}
          </a>
        </p>
      )}
      <p class="padded quiet">
        {next
          ? text("overview.next_start", { name: next.name, time: formatTime(next.nextAt) })
          : text("overview.no_schedule")}
      </p>
    </>
  );
}

function EntryRow({ entry: { at, words, tone, href, undo, isUndone } }: { entry: Entry }) {
  const { client, notices } = useServices();
  const takeBack = () =>
    notices.attempt("undo", async () => {
      await client.post("pool/undo", { batch: undo, background: true });
      notices.show("undo-begun", { text: text("overview.undo_begun"), isToast: true });
    });
  return (
    <li class="entry">
      <time class="quiet number" title={formatTime(at)}>
        {formatClock(at)}
      </time>
      <StatusDot tone={tone} />
      <a class="grow" href={href}>
        <bdi>{words}</bdi>
      </a>
      {isUndone && <span class="quiet">{text("overview.undone")}</span>}
      {undo !== null && (
        <Button size="small" kind="ghost" label={`${text("overview.undo")}: ${words}`} onPress={takeBack}>
          {text("overview.undo")}
        </Button>
      )}
    </li>
  );
}

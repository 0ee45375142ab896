import { Pause, Pencil, Play, Plus, Zap } from "lucide";
import type { ScheduleView } from "../../connection/api.js";
import { text } from "../../language/catalogue.js";
import { formatAge, formatTime, formatUntil } from "../../language/formats.js";
import { reasonsText } from "../../language/reasons.js";
import { Button } from "../../parts/button.js";
import { Content } from "../../parts/content.js";
import { EmptyText } from "../../parts/empty_text.js";
import { Icon } from "../../parts/icon.js";
import { Badge } from "../../parts/status.js";
import { Switch } from "../../parts/switch.js";
import type { Settings } from "../../run_settings/fields.js";
import { actsText, isActing, scopeText } from "../../run_settings/words.js";
import { Head } from "../../shell/head.js";
import { useReading } from "../../shell/reading.js";
import { useServices } from "../../shell/services.js";
import { useNow } from "../../shell/use_now.js";
import { ScheduleDrawer } from "./drawer.js";
import { formOf, newForm, turned } from "./model.js";
import { whenText } from "./times.js";

type Refresh = () => Promise<void>;

/** Schedules, a row each. The address holds `edit`: the number of a schedule, or `new`. */
export default function SchedulesPage() {
  const { router, config } = useServices();
  const reading = useReading((client) => client.get("inspections/schedules"), { on: ["schedule", "run.state"] });
  const run = useRun();
  const edit = router.get("edit");
  const stored = reading.value.value?.schedules.find(({ id }) => String(id) === edit);
  const defaults = config.inspectionDefaults as unknown as Settings;
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const initial = stored ? formOf(stored, defaults) : edit === "new" ? newForm(defaults, zone) : null;
  return (
    <>
      <Head title={text("pages.schedules")}>
        <span class="grow" />
        <AutomationButton />
        <Button kind="primary" icon={Plus} onPress={() => router.set({ edit: "new" }, { push: true })}>
          {text("schedule.new")}
        </Button>
      </Head>
      <div class="body">
        <section class="card" aria-label={text("pages.schedules")}>
          <Content reading={reading}>
            {({ schedules }) =>
              schedules.length ? (
                <ul class="listing">
                  {schedules.map((schedule) => (
                    <ScheduleRow key={schedule.id} schedule={schedule} refresh={reading.refresh} run={run} />
                  ))}
                </ul>
              ) : (
                <EmptyText title={text("schedule.none")} hint={text("schedule.purpose")} />
              )
            }
          </Content>
        </section>
      </div>
      {initial && (
        <ScheduleDrawer
          key={edit}
          initial={initial}
          stored={stored}
          run={run}
          refresh={reading.refresh}
          onClose={() => router.set({ edit: "" }, { push: true })}
        />
      )}
    </>
  );
}

/** Return what starts a run of a schedule, and says where it is. */
function useRun() {
  const { client, router, notices } = useServices();
  return ({ id }: ScheduleView) =>
    notices.attempt("schedule-run", async () => {
      const { run } = await client.post("inspections", {}, { schedule: id });
      notices.show("schedule-started", {
        isToast: true,
        text: text("schedule.started", { run: String(run.id) }),
        action: { label: text("schedule.show_run"), act: () => router.go(`runs?run=${run.id}`) },
      });
    });
}

function AutomationButton() {
  const { automation } = useServices();
  const state = automation.state.value;
  if (!state) return null;
  return (
    <Button icon={state.paused ? Play : Pause} onPress={() => automation.turn()}>
      {text(state.paused ? "automation.resume" : "automation.pause")}
    </Button>
  );
}

interface RowProps {
  schedule: ScheduleView;
  refresh: Refresh;
  run: (schedule: ScheduleView) => Promise<unknown>;
}

function ScheduleRow({ schedule, refresh, run }: RowProps) {
  const { client, router, notices, info } = useServices();
  const { id, name, enabled } = schedule;
  const settings = schedule.settings as Partial<Settings>;
  const acts = isActing(settings);
  const turn = (isOn: boolean) =>
    notices.attempt("schedules", async () => {
      await client.post("inspections/schedules", turned(schedule, isOn));
      await refresh();
    });
  return (
    <li class="schedule">
      <Switch label={text("schedule.is_on", { name })} isOn={enabled} onTurn={turn} />
      <div>
        <a href={router.addressWith({ edit: id })}>
          <b>
            <bdi>{name}</bdi>
          </b>
        </a>
        <p class="quiet">{whenText(schedule)}</p>
      </div>
      <div>
        <bdi>{scopeText(settings, info.families)}</bdi>
        <p class="quiet">
          <LastRun schedule={schedule} />
        </p>
      </div>
      <Badge tone={acts ? "you" : "unknown"}>
        {acts && <Icon of={Zap} size={12} />}
        {actsText(settings)}
      </Badge>
      <NextStart schedule={schedule} />
      <span class="row">
        <Button size="small" label={text("schedule.run_now_of", { name })} onPress={() => run(schedule)}>
          {text("schedule.run_now")}
        </Button>
        <Button
          size="small"
          kind="ghost"
          icon={Pencil}
          label={text("schedule.edit_of", { name })}
          onPress={() => router.set({ edit: id }, { push: true })}
        />
      </span>
    </li>
  );
}

function NextStart({ schedule: { enabled, nextAt } }: { schedule: ScheduleView }) {
  const now = useNow();
  if (!enabled) return <span class="quiet">{text("schedule.off")}</span>;
  return <b title={formatTime(nextAt)}>{formatUntil(nextAt - now)}</b>;
}

function LastRun({ schedule: { lastAt, lastRun, problem, problems } }: { schedule: ScheduleView }) {
  const now = useNow();
  if (!lastAt) return <>{text("schedule.never")}</>;
  return (
    <>
      <span title={formatTime(lastAt)}>{formatAge(now - lastAt)}</span>
      {lastRun && (
        <>
          {", "}
          <a href={`runs?run=${lastRun}`} class="link">
            {text("schedule.run", { run: String(lastRun) })}
          </a>
        </>
      )}
      {problem && <span class="problem"> · {reasonsText(problems, problem)}</span>}
    </>
  );
}

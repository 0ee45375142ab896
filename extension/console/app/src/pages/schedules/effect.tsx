import type { Source } from "../../connection/api.js";
import type { Client } from "../../connection/client.js";
import { text, tokenText } from "../../language/catalogue.js";
import { Chip } from "../../parts/chip.js";
import { Content } from "../../parts/content.js";
import { Field } from "../../parts/field.js";
import { flawsOf, modeLabel, type Settings } from "../../run_settings/fields.js";
import { isActing, sourceLabel } from "../../run_settings/words.js";
import { useReading } from "../../shell/reading.js";
import type { PartProps } from "./drawer.js";
import { effectText, limitsText, modesFor, runLike, settingsFor, sourcesOf } from "./model.js";
import { Select } from "../../parts/select.js";

const RUNS_READ = 50;
/** Age of a reading of the gateway that will do, in seconds. */
const READING_AGE = 5;

/** What a schedule may do: only report, or act in a mode, with its effect after the last check. */
export function ActsPart({ form, change }: PartProps) {
  const { settings, scope } = form;
  const acts = isActing(settings);
  const effectSources = Object.keys(flawsOf(settings)).length ? [] : sourcesOf(scope);
  const modes = modesFor(scope).filter((mode) => mode !== "none");
  const choose = (autoActionMode: Settings["autoActionMode"]) =>
    change({ ...form, settings: { ...settings, autoActionMode } });
  return (
    <>
      <fieldset class="choices">
        <legend>{text("schedule.acts")}</legend>
        <div class="chips">
          <Chip label={text("schedule.only_reports")} isOn={!acts} onPress={() => choose("none")} />
          <Chip
            label={text("schedule.acts_itself")}
            tone="you"
            isOn={acts}
            onPress={() => choose(acts ? settings.autoActionMode : "disable")}
          />
        </div>
      </fieldset>
      {acts && modes.length > 1 && (
        <Field label={tokenText("field", "autoActionMode")}>
          <Select
            value={settings.autoActionMode}
            choices={modes.map((mode) => [mode, modeLabel(settings.accountSource, mode)])}
            onChoose={choose}
          />
        </Field>
      )}
      <div class="note" data-tone={acts ? "you" : "unknown"}>
        {effectSources.map((source) => (
          <Effect key={source} source={source} settings={settingsFor(form, source)} />
        ))}
        {acts && <p>{limitsText(settings)}</p>}
      </div>
    </>
  );
}

/** Cost of a run, and what it would do, for one source. */
function Effect({ source, settings }: { source: Source; settings: Settings }) {
  const reading = useReading((client) => readEffect(client, settings), { key: JSON.stringify(settings), on: ["pool"] });
  return (
    <Content reading={reading} rows={1}>
      {({ cost, effect }) => (
        <p>
          <b>{sourceLabel(source)}</b>{" "}
          {cost.accounts ? text("schedule.cost", { n: cost.probed, requests: cost.requests }) : text("cost.no_account")}{" "}
          {effect}
        </p>
      )}
    </Content>
  );
}

async function readEffect(client: Client, settings: Settings) {
  const cost = await client.post("inspections/cost", settings, { age: READING_AGE });
  if (!isActing(settings)) return { cost, effect: "" };
  const run = runLike((await client.get("inspections", { limit: RUNS_READ })).runs, settings);
  if (!run) return { cost, effect: text("schedule.no_run") };
  const { plans } = await client.get("inspections/plan", { run: run.id });
  const plan = plans.find(({ mode }) => mode === settings.autoActionMode);
  return { cost, effect: plan ? effectText(run.id, plan) : "" };
}

/** Channels that are told of runs. */
export function TellPart() {
  const reading = useReading((client) => client.get("config/channels"), { on: ["channel"] });
  return (
    <section>
      <h3>{text("schedule.tells")}</h3>
      <Content reading={reading} rows={1}>
        {({ channels }) => (
          <p class="quiet">
            {channels.length
              ? channels.map(({ name, topics }) => {
                  const words = topics.map((topic) => tokenText("topics", topic)).join(", ");
                  return (
                    <span key={name}>
                      <bdi>{name}</bdi>: {words || text("channels.all_topics")}.{" "}
                    </span>
                  );
                })
              : `${text("schedule.tells_nobody")} `}
            <a href="notifications" class="link">
              {text("pages.notifications")}
            </a>
          </p>
        )}
      </Content>
    </section>
  );
}

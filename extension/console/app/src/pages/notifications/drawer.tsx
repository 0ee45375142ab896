import { useSignal } from "@preact/signals";
import { TOPICS, type ChannelView } from "../../connection/api.js";
import { text, tokenText } from "../../language/catalogue.js";
import { reasonsText } from "../../language/reasons.js";
import { Button } from "../../parts/button.js";
import { Drawer } from "../../parts/drawer.js";
import { EmptyText } from "../../parts/empty_text.js";
import { Field } from "../../parts/field.js";
import { Refused, useForm, WrongField } from "../../parts/form.js";
import type { Refusal } from "../../parts/refusal.js";
import { useServices } from "../../shell/services.js";
import { ServiceGlyph } from "./glyph.js";
import { composed, SERVICE_NAMES, serviceOf, serviceRow, type ServiceName } from "./services.js";

const FORM = "channel-form";
const NAME_LENGTH = 100;
const ADDRESS_LENGTH = 2000;

export interface ChannelDrawerProps {
  /** Channel to be changed; absent for a new one. Its address is not known here, and stays. */
  channel: ChannelView | undefined;
  /** False where the Apprise library is missing: there are webhooks alone then. */
  hasLibrary: boolean;
  onClose: () => void;
  refresh: () => Promise<void>;
}

/** Form of a channel: a service with its own fields, a name, and what it is told. */
export function ChannelDrawer({ channel, hasLibrary, onClose, refresh }: ChannelDrawerProps) {
  const { client } = useServices();
  const service = useSignal<ServiceName>(channel ? serviceOf(channel) : hasLibrary ? "telegram" : "webhook");
  const trial = useSignal<{ isGood: boolean; words: string } | null>(null);
  const { kind, fields } = serviceRow(service.value);
  const names = ["name", ...fields.map(({ name }) => name)];
  const { refusal, isBusy, attempt: sendForm } = useForm([...names, "address"]);

  /** Run a request with the form's values. */
  const attempt = (act: (form: FormData) => Promise<void>) => {
    const form = document.getElementById(FORM);
    if (!(form instanceof HTMLFormElement)) return undefined;
    trial.value = null;
    return sendForm(() => act(new FormData(form)));
  };
  const save = () =>
    attempt(async (form) => {
      const common = { name: nameOf(form), topics: topicsOf(form) };
      if (channel) await client.post("config/channels/edit", { channel: channel.id, ...common });
      else await client.post("config/channels", { ...common, kind, address: addressOf(service.peek(), form) });
      await refresh();
      onClose();
    });
  const test = () =>
    attempt(async (form) => {
      const { taken, problem, problems } = await client.post("config/channels/try", {
        kind,
        address: addressOf(service.peek(), form),
      });
      const words = taken ? text("channels.tested") : reasonsText(problems, problem);
      trial.value = { isGood: taken, words };
    });

  const foot = (
    <>
      <span class="grow" role="status">
        {trial.value && <span class={trial.value.isGood ? "quiet" : "problem"}>{trial.value.words}</span>}
      </span>
      {!channel && (
        <Button isBusy={isBusy.value} onPress={test}>
          {text("channels.test")}
        </Button>
      )}
      <Button kind="primary" isBusy={isBusy.value} onPress={save}>
        {text(channel ? "channels.save" : "channels.add")}
      </Button>
    </>
  );
  const title = channel ? text("channels.edit_of", { name: channel.name }) : text("channels.new");
  return (
    <Drawer title={title} foot={foot} onClose={onClose}>
      {!hasLibrary && (
        <EmptyText title={text("channels.no_library")} hint={text("channels.no_library_hint")} isProblem />
      )}
      <form
        id={FORM}
        class="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        {!channel && (
          <ServiceChoice
            value={service.value}
            hasLibrary={hasLibrary}
            onChoose={(name) => {
              service.value = name;
              refusal.value = {};
              trial.value = null;
            }}
          />
        )}
        <ChannelFields channel={channel} service={service.value} refusal={placed(refusal.value, names[1] ?? "")} />
      </form>
    </Drawer>
  );
}

interface ChannelFieldsProps {
  channel: ChannelView | undefined;
  service: ServiceName;
  refusal: Refusal;
}

function ChannelFields({ channel, service, refusal }: ChannelFieldsProps) {
  return (
    <>
      <Field label={text("channels.name")} problem={refusal.name}>
        <input name="name" defaultValue={channel?.name} required maxLength={NAME_LENGTH} />
      </Field>
      {!channel && <ServiceFields key={service} name={service} refusal={refusal} />}
      <TopicChoice chosen={channel?.topics ?? []} problem={refusal.topics} />
      <Refused of={refusal} />
      <button type="submit" hidden />
    </>
  );
}

interface ChoiceProps {
  value: ServiceName;
  hasLibrary: boolean;
  onChoose: (name: ServiceName) => void;
}

function ServiceChoice({ value, hasLibrary, onChoose }: ChoiceProps) {
  return (
    <fieldset class="cards">
      <legend>{text("channels.service")}</legend>
      {SERVICE_NAMES.map((name) => (
        <label key={name}>
          <input
            type="radio"
            name="service"
            value={name}
            checked={name === value}
            disabled={!hasLibrary && serviceRow(name).kind === "apprise"}
            onChange={() => {
              onChoose(name);
            }}
          />
          <ServiceGlyph name={name} />
          {tokenText("channel_services", name)}
        </label>
      ))}
    </fieldset>
  );
}

function ServiceFields({ name, refusal }: { name: ServiceName; refusal: Refusal }) {
  return (
    <>
      {serviceRow(name).fields.map((field) => (
        <Field
          key={field.name}
          label={tokenText("channel_fields", field.name)}
          hint={tokenText("channel_field_hints", field.name, "")}
          problem={refusal[field.name]}
        >
          <input
            name={field.name}
            maxLength={ADDRESS_LENGTH}
            placeholder={field.placeholder}
            autoComplete="off"
            spellcheck={false}
            required={!field.isOptional}
          />
        </Field>
      ))}
    </>
  );
}

function TopicChoice({ chosen, problem }: { chosen: readonly string[]; problem: string | undefined }) {
  return (
    <fieldset class="choices" aria-invalid={problem ? true : undefined}>
      <legend>{text("channels.topics")}</legend>
      {TOPICS.map((topic) => (
        <label key={topic}>
          <input
            type="checkbox"
            name="topics"
            value={topic}
            defaultChecked={!chosen.length || chosen.includes(topic)}
          />
          <span>
            {tokenText("topics", topic)}
            <small>{tokenText("topic_hints", topic)}</small>
          </span>
        </label>
      ))}
      {problem && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
    </fieldset>
  );
}

function nameOf(form: FormData): string {
  const name = valueOf(form, "name").trim();
  if (!name) throw new WrongField("name", text("channels.name_missing"));
  return name;
}

function addressOf(service: ServiceName, form: FormData): string {
  const values = Object.fromEntries(serviceRow(service).fields.map(({ name }) => [name, valueOf(form, name)]));
  const composition = composed(service, values);
  if ("address" in composition) return composition.address;
  const { wrong } = composition;
  const field = tokenText("channel_fields", wrong);
  throw new WrongField(wrong, text(values[wrong]?.trim() ? "channels.wrong" : "channels.missing", { field }));
}

/** Return the topics that are chosen; all of them are stored as none, so that a later topic is told as well. */
function topicsOf(form: FormData) {
  const chosen = TOPICS.filter((topic) => form.getAll("topics").includes(topic));
  if (!chosen.length) throw new WrongField("topics", text("channels.topics_missing"));
  return chosen.length === TOPICS.length ? [] : chosen;
}

function valueOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}

/** Put what the service says of the address at the first field that it was made of. */
function placed({ address, ...others }: Refusal, field: string): Refusal {
  return address ? { ...others, [field]: address } : others;
}

import { useSignal, type Signal } from "@preact/signals";
import { takeBack } from "../../actions/reversal.js";
import type { EntryAnswer, EntryEditAnswer, EntryFieldsView } from "../../connection/api.js";
import { isSilent } from "../../connection/problem.js";
import { text } from "../../language/catalogue.js";
import { reasonsText } from "../../language/reasons.js";
import { Button } from "../../parts/button.js";
import { Content } from "../../parts/content.js";
import { Dialog } from "../../parts/dialog.js";
import { Field } from "../../parts/field.js";
import { refusalOf, type Refusal } from "../../parts/refusal.js";
import { useReading } from "../../shell/reading.js";
import { useServices, type Services } from "../../shell/services.js";
import { fieldsOf, formOf, NAMES, type EntryForm } from "./entry.js";
import { Refused } from "../../parts/form.js";
import { assign } from "../../parts/assign.js";

const FORM = "entry-form";
const FIELDS = NAMES.map((name) => `fields.${name}`);

/** Edits the configuration entry of an account: first its fields, then what the edit changes. */
export function EntryDialog({ account, onClose }: { account: number; onClose: () => void }) {
  const services = useServices();
  const { client } = services;
  const reading = useReading((reader) => reader.get("pool/entry", { account }), { key: String(account) });
  const form = useSignal<EntryForm | null>(null);
  const plan = useSignal<{ answer: EntryEditAnswer; fields: EntryFieldsView } | null>(null);
  const refusal = useSignal<Refusal>({});
  const accepts = useSignal(false);
  const entry = reading.value.value;
  /** Send the form; what is refused is said at its field. */
  const send = async (fields: EntryFieldsView, more: object): Promise<EntryEditAnswer | null> => {
    try {
      return await client.post("pool/entry", { account, revision: entry?.revision, fields, ...more });
    } catch (problem) {
      if (!isSilent(problem)) refusal.value = refusalOf(problem, FIELDS);
      plan.value = null;
      return null;
    }
  };
  const review = async (written: EntryForm, shown: EntryAnswer) => {
    form.value = written;
    refusal.value = {};
    const fields = fieldsOf(written, shown.fields);
    if ("problems" in fields) {
      refusal.value = Object.fromEntries(
        Object.entries(fields.problems).map(([name, words]) => [`fields.${name}`, words]),
      );
      return;
    }
    const answer = await send(fields, { plan: true });
    if (answer) plan.value = { answer, fields };
  };
  const write = async () => {
    if (!plan.value) return;
    const answer = await send(plan.value.fields, { acceptLoss: accepts.value });
    if (!answer) return;
    onClose();
    report(services, account, answer);
  };
  const changes = plan.value?.answer.changes ?? [];
  const losses = plan.value?.answer.losses ?? [];
  const foot = plan.value ? (
    <>
      <Button onPress={() => assign(plan, null)}>{text("entry.back")}</Button>
      <Button kind="primary" isDisabled={!changes.length || (losses.length > 0 && !accepts.value)} onPress={write}>
        {text("entry.write")}
      </Button>
    </>
  ) : (
    <>
      <Button onPress={onClose}>{text("dialog.cancel")}</Button>
      <button type="submit" form={FORM} class="button primary normal" disabled={!entry}>
        {text("entry.review")}
      </button>
    </>
  );
  return (
    <Dialog title={text("entry.title")} foot={foot} onClose={onClose}>
      {plan.value ? (
        <Plan answer={plan.value.answer} accepts={accepts} />
      ) : (
        <Content reading={reading}>
          {(shown) => (
            <Form
              shown={shown}
              form={form.value ?? formOf(shown.fields)}
              refusal={refusal.value}
              onSubmit={(written) => review(written, shown)}
            />
          )}
        </Content>
      )}
    </Dialog>
  );
}

/** Say what became of an edit, with the way back, and show the account that the entry is now. */
function report(services: Services, account: number, answer: EntryEditAnswer): void {
  const { notices, router } = services;
  const [action] = answer.command?.actions ?? [];
  const batch = answer.command?.batch?.id;
  if (action && action.outcome !== "applied") {
    notices.show("entry", { level: "error", text: reasonsText(action.texts, action.text) });
    return;
  }
  if (answer.account !== account) router.set({ account: answer.account });
  notices.show("entry", {
    isToast: true,
    text: text("entry.written"),
    action: batch ? { label: text("dialog.undo"), act: () => takeBack(services, { batch, n: 1 }) } : undefined,
  });
}

/** What an edit changes and drops; the loss is accepted with a tick. */
function Plan({ answer: { changes, losses }, accepts }: { answer: EntryEditAnswer; accepts: Signal<boolean> }) {
  return (
    <>
      <Changes changes={changes} />
      {losses.length > 0 && (
        <label class="row">
          <input
            type="checkbox"
            checked={accepts.value}
            onChange={({ currentTarget }) => assign(accepts, currentTarget.checked)}
          />
          {text("plan.losses", { parts: losses.join(", ") })}
        </label>
      )}
    </>
  );
}

interface FormProps {
  shown: EntryAnswer;
  form: EntryForm;
  refusal: Refusal;
  onSubmit: (form: EntryForm) => unknown;
}

function Form({ shown, form, refusal, onSubmit }: FormProps) {
  const problem = (name: keyof EntryForm) =>
    Object.entries(refusal).find(([field]) => field.startsWith(`fields.${name}`))?.[1];
  return (
    <form
      id={FORM}
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        const values = new FormData(event.currentTarget);
        onSubmit(Object.fromEntries(NAMES.map((name) => [name, String(values.get(name))])) as EntryForm);
      }}
    >
      {shown.accounts.length > 1 && <p>{text("entry.shared", { n: shown.accounts.length })}</p>}
      <Field label={text("entry.base_url")} problem={problem("baseUrl")}>
        <input name="baseUrl" defaultValue={form.baseUrl} spellcheck={false} maxLength={2000} />
      </Field>
      <Field label={text("entry.priority")} hint={text("entry.priority_hint")} problem={problem("priority")}>
        <input name="priority" defaultValue={form.priority} inputMode="numeric" maxLength={8} />
      </Field>
      <Field label={text("entry.prefix")} hint={text("entry.prefix_hint")} problem={problem("prefix")}>
        <input name="prefix" defaultValue={form.prefix} spellcheck={false} maxLength={300} />
      </Field>
      <Field label={text("entry.models")} hint={text("entry.models_hint")} problem={problem("models")}>
        <textarea name="models" rows={4} defaultValue={form.models} spellcheck={false} />
      </Field>
      <Field label={text("entry.headers")} hint={text("entry.headers_hint")} problem={problem("headers")}>
        <textarea name="headers" rows={3} defaultValue={form.headers} spellcheck={false} />
      </Field>
      <Refused of={refusal} />
    </form>
  );
}

const WORDS = {
  "base-url": "entry.base_url",
  priority: "entry.priority",
  prefix: "entry.prefix",
  models: "entry.models",
  headers: "entry.headers",
} as const;

function Changes({ changes }: Pick<EntryEditAnswer, "changes">) {
  if (!changes.length) return <p>{text("entry.nothing")}</p>;
  return (
    <table class="plain entry-changes">
      <thead>
        <tr>
          {(["field", "before", "after"] as const).map((name) => (
            <th key={name} scope="col">
              {text(`entry.${name}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {changes.map(({ field, before, after }) => (
          <tr key={field}>
            <th scope="row">{text(WORDS[field as keyof typeof WORDS])}</th>
            {[before, after].map((words, index) => (
              <td key={index === 0 ? "before" : "after"}>
                <bdi>{words || text("entry.none")}</bdi>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

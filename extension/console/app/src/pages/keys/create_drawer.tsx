import { useSignal } from "@preact/signals";
import { Copy } from "lucide";
import { isSilent } from "../../connection/problem.js";
import { text } from "../../language/catalogue.js";
import { Button } from "../../parts/button.js";
import { Drawer } from "../../parts/drawer.js";
import { Field } from "../../parts/field.js";
import { refusalOf, type Refusal } from "../../parts/refusal.js";
import { useServices } from "../../shell/services.js";

const FORM = "new-key-form";

/** Creates a client key, and shows it this once. */
export function CreateDrawer({ onClose, refresh }: { onClose: () => void; refresh: () => Promise<void> }) {
  const { client, notices } = useServices();
  const refusal = useSignal<Refusal>({});
  const isBusy = useSignal(false);
  const key = useSignal("");
  const create = async (form: HTMLFormElement) => {
    if (isBusy.peek()) return;
    isBusy.value = true;
    refusal.value = {};
    const fields = new FormData(form);
    const alias = String(fields.get("alias")).trim();
    const body = { reason: String(fields.get("reason")), ...(alias ? { alias } : {}) };
    try {
      key.value = (await client.post("config/client-keys", body)).key;
      await refresh();
    } catch (problem) {
      if (!isSilent(problem)) refusal.value = refusalOf(problem, ["alias", "reason"]);
    } finally {
      isBusy.value = false;
    }
  };
  const copy = async () => {
    await navigator.clipboard.writeText(key.peek());
    notices.show("copied", { text: text("keys.copied"), isToast: true });
  };
  const foot = (
    <>
      <span class="grow" />
      {key.value ? (
        <Button onPress={onClose}>{text("keys.done")}</Button>
      ) : (
        <button type="submit" form={FORM} class="button primary normal" aria-busy={isBusy.value || undefined}>
          {text("keys.create")}
        </button>
      )}
    </>
  );
  return (
    <Drawer title={text("keys.create")} foot={foot} onClose={onClose}>
      {key.value ? (
        <>
          <Field label={text("keys.new_key")} hint={text("keys.shown_once")}>
            <input
              class="mono"
              value={key.value}
              readOnly
              autoFocus
              onFocus={(event) => event.currentTarget.select()}
            />
          </Field>
          <Button icon={Copy} kind="primary" onPress={copy}>
            {text("keys.copy")}
          </Button>
        </>
      ) : (
        <form
          id={FORM}
          class="stack"
          onSubmit={(event) => {
            event.preventDefault();
            void create(event.currentTarget);
          }}
        >
          <Field label={text("keys.alias")} problem={refusal.value.alias}>
            <input name="alias" autoFocus maxLength={100} />
          </Field>
          <Field label={text("keys.note")} problem={refusal.value.reason}>
            <input name="reason" maxLength={500} />
          </Field>
          {refusal.value[""] && (
            <p class="problem" role="alert">
              {refusal.value[""]}
            </p>
          )}
        </form>
      )}
    </Drawer>
  );
}

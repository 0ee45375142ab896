import { useSignal } from "@preact/signals";
import { Copy } from "lucide";
import { text } from "../../language/catalogue.js";
import { Button } from "../../parts/button.js";
import { Drawer } from "../../parts/drawer.js";
import { Field } from "../../parts/field.js";
import { FormDrawer } from "../../parts/form.js";
import { useServices } from "../../shell/services.js";

/** Creates a client key, and shows it this once. */
export function CreateDrawer({ onClose, refresh }: { onClose: () => void; refresh: () => Promise<void> }) {
  const { client } = useServices();
  const key = useSignal("");
  const create = async (fields: FormData) => {
    const alias = String(fields.get("alias")).trim();
    const body = { reason: String(fields.get("reason")), ...(alias ? { alias } : {}) };
    key.value = (await client.post("config/client-keys", body)).key;
    await refresh();
  };
  if (key.value) return <NewKey value={key.value} onClose={onClose} />;
  return (
    <FormDrawer
      title={text("keys.create")}
      names={["alias", "reason"]}
      verb={text("keys.create")}
      send={create}
      onClose={onClose}
    >
      {(refusal) => (
        <>
          <Field label={text("keys.alias")} problem={refusal.alias}>
            <input name="alias" autoFocus maxLength={100} />
          </Field>
          <Field label={text("keys.note")} problem={refusal.reason}>
            <input name="reason" maxLength={500} />
          </Field>
        </>
      )}
    </FormDrawer>
  );
}

function NewKey({ value, onClose }: { value: string; onClose: () => void }) {
  const { notices } = useServices();
  const copy = async () => {
    await navigator.clipboard.writeText(value);
    notices.show("copied", { text: text("keys.copied"), isToast: true });
  };
  const foot = (
    <>
      <span class="grow" />
      <Button onPress={onClose}>{text("keys.done")}</Button>
    </>
  );
  return (
    <Drawer title={text("keys.create")} foot={foot} onClose={onClose}>
      <Field label={text("keys.new_key")} hint={text("keys.shown_once")}>
        <input class="mono" value={value} readOnly autoFocus onFocus={(event) => event.currentTarget.select()} />
      </Field>
      <Button icon={Copy} kind="primary" onPress={copy}>
        {text("keys.copy")}
      </Button>
    </Drawer>
  );
}

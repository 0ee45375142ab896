import { useSignal } from "@preact/signals";
import { isSilent } from "../../connection/problem.js";
import { text } from "../../language/catalogue.js";
import { clipped } from "../../language/formats.js";
import { Button } from "../../parts/button.js";
import { Drawer } from "../../parts/drawer.js";
import { Field } from "../../parts/field.js";
import { refusalOf, type Refusal } from "../../parts/refusal.js";
import { pageAddress } from "../../shell/pages.js";
import { useServices } from "../../shell/services.js";
import { RevokeButton } from "./revoke_button.js";
import { titleOf, type KeyRow } from "./model.js";

const FORM = "key-form";

export interface KeyDrawerProps {
  /** Key that gets a name; absent where it is typed. */
  row: KeyRow | undefined;
  onClose: () => void;
  refresh: () => Promise<void>;
}

/** Names a client key. A key that is typed is hashed by the service, and kept nowhere. */
export function KeyDrawer({ row, onClose, refresh }: KeyDrawerProps) {
  const { client, notices } = useServices();
  const refusal = useSignal<Refusal>({});
  const isBusy = useSignal(false);
  const finish = (words: string) => {
    onClose();
    notices.show("alias", { isToast: true, text: words });
    void refresh();
  };
  const save = async (form: HTMLFormElement) => {
    if (isBusy.peek()) return;
    isBusy.value = true;
    refusal.value = {};
    const fields = new FormData(form);
    const alias = String(fields.get("alias"));
    const key = row ? { fingerprint: row.fingerprint } : { key: String(fields.get("key")) };
    try {
      await client.put("../api-key-aliases", { alias, ...key });
      finish(text("keys.saved", { alias: clipped(alias.trim()) }));
    } catch (problem) {
      if (!isSilent(problem)) refusal.value = refusalOf(problem, ["alias", "key"]);
    } finally {
      isBusy.value = false;
    }
  };
  const remove = ({ fingerprint, name }: KeyRow) =>
    notices.attempt("keys", async () => {
      await client.delete("../api-key-aliases", { fingerprint });
      finish(text("keys.removed", { alias: clipped(name) }));
    });
  const foot = (
    <>
      {row?.isAccepted && (
        <RevokeButton
          row={row}
          onDone={() => {
            onClose();
            void refresh();
          }}
        />
      )}
      {row?.name && <Button onPress={() => remove(row)}>{text("keys.remove")}</Button>}
      <span class="grow" />
      <button type="submit" form={FORM} class="button primary normal" aria-busy={isBusy.value || undefined}>
        {text("keys.save")}
      </button>
    </>
  );
  return (
    <Drawer title={<bdi>{row ? titleOf(row) : text("keys.name_key")}</bdi>} foot={foot} onClose={onClose}>
      <form
        id={FORM}
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void save(event.currentTarget);
        }}
      >
        {!row && (
          <Field label={text("keys.key")} hint={text("keys.key_hint")} problem={refusal.value.key}>
            <input name="key" type="password" autoComplete="off" spellcheck={false} required maxLength={1000} />
          </Field>
        )}
        <Field label={text("keys.alias")} problem={refusal.value.alias}>
          <input name="alias" autoFocus={row !== undefined} defaultValue={row?.name} required maxLength={100} />
        </Field>
        {refusal.value[""] && (
          <p class="problem" role="alert">
            {refusal.value[""]}
          </p>
        )}
      </form>
      {row && (
        <p class="quiet">
          <span class="mono">
            {row.hint} {row.fingerprint}
          </span>
          <br />
          <a class="link" href={pageAddress("requests", { client: row.fingerprint, period: "30d" })}>
            {text("keys.requests")}
          </a>
        </p>
      )}
    </Drawer>
  );
}

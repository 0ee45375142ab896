import { text } from "../../language/catalogue.js";
import { clipped } from "../../language/formats.js";
import { Button } from "../../parts/button.js";
import { Field } from "../../parts/field.js";
import { FormDrawer } from "../../parts/form.js";
import { pageAddress } from "../../shell/pages.js";
import { useServices } from "../../shell/services.js";
import { RevokeButton } from "./revoke_button.js";
import { titleOf, type KeyRow } from "./model.js";

export interface KeyDrawerProps {
  /** Key that gets a name; absent where it is typed. */
  row: KeyRow | undefined;
  onClose: () => void;
  refresh: () => Promise<void>;
}

/** Names a client key. A key that is typed is hashed by the service, and kept nowhere. */
export function KeyDrawer({ row, onClose, refresh }: KeyDrawerProps) {
  const { client, notices } = useServices();
  const finish = (words: string) => {
    onClose();
    notices.show("alias", { isToast: true, text: words });
    void refresh();
  };
  const save = async (fields: FormData) => {
    const alias = String(fields.get("alias"));
    const key = row ? { fingerprint: row.fingerprint } : { key: String(fields.get("key")) };
    await client.put("../api-key-aliases", { alias, ...key });
    finish(text("keys.saved", { alias: clipped(alias.trim()) }));
  };
  const remove = ({ fingerprint, name }: KeyRow) =>
    notices.attempt("keys", async () => {
      await client.delete("../api-key-aliases", { fingerprint });
      finish(text("keys.removed", { alias: clipped(name) }));
    });
  const start = (
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
    </>
  );
  return (
    <FormDrawer
      title={<bdi>{row ? titleOf(row) : text("keys.name_key")}</bdi>}
      names={["alias", "key"]}
      start={start}
      verb={text("keys.save")}
      send={save}
      onClose={onClose}
      below={row && <KeyFacts row={row} />}
    >
      {(refusal) => (
        <>
          {!row && (
            <Field label={text("keys.key")} hint={text("keys.key_hint")} problem={refusal.key}>
              <input name="key" type="password" autoComplete="off" spellcheck={false} required maxLength={1000} />
            </Field>
          )}
          <Field label={text("keys.alias")} problem={refusal.alias}>
            <input name="alias" autoFocus={row !== undefined} defaultValue={row?.name} required maxLength={100} />
          </Field>
        </>
      )}
    </FormDrawer>
  );
}

function KeyFacts({ row }: { row: KeyRow }) {
  return (
    <p class="quiet">
      <span class="mono">
        {row.hint} {row.fingerprint}
      </span>
      <br />
      <a class="link" href={pageAddress("requests", { client: row.fingerprint, period: "30d" })}>
        {text("keys.requests")}
      </a>
    </p>
  );
}

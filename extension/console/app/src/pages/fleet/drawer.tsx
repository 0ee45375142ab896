import { useSignal, type Signal } from "@preact/signals";
import type { FleetGatewayView } from "../../connection/api.js";
import { text } from "../../language/catalogue.js";
import { Button } from "../../parts/button.js";
import { ConfirmButton } from "../../parts/confirm_button.js";
import { Drawer } from "../../parts/drawer.js";
import { Field } from "../../parts/field.js";
import { Refused, useForm, WrongField } from "../../parts/form.js";
import type { Refusal } from "../../parts/refusal.js";
import { Status } from "../../parts/status.js";
import { choosePool } from "../../session/fleet.js";
import { useServices } from "../../shell/services.js";
import { labelsOf, labelsText, requestOf, stateOf, testText, toneOf, type GatewayFields } from "./model.js";
import { assign } from "../../parts/assign.js";

const FIELDS = ["name", "url", "key", "keyRef", "labels", "egress", "ca"];
const TEXTS = ["name", "url", "keyRef", "labels", "egress"] as const;

export interface GatewayDrawerProps {
  /** Gateway that is changed; absent for a new one. */
  stored: FleetGatewayView | undefined;
  onClose: () => void;
  refresh: () => Promise<void>;
}

/** Form of a gateway. A new one, or another URL or key, is tested first: after a failure nothing is stored. */
export function GatewayDrawer({ stored, onClose, refresh }: GatewayDrawerProps) {
  const { client, notices, fleet } = useServices();
  const fields = useSignal<GatewayFields>(fieldsOf(stored));
  const { refusal, isBusy, attempt: sendForm } = useForm(FIELDS);
  const answer = useSignal("");
  const attempt = async (act: () => Promise<void>) => {
    answer.value = "";
    await sendForm(act);
    void refresh();
  };
  const save = () =>
    attempt(async () => {
      if (!labelsOf(fields.peek().labels)) throw new WrongField("labels", text("fleet.labels_flaw"));
      const request = requestOf(fields.peek(), stored);
      if (stored) await client.post("fleet/gateways/edit", request);
      else {
        const { test } = await client.post("fleet/gateways", request);
        // The first one: the pages begin with it.
        if (!fleet?.pool) choosePool(request.name);
        notices.show("gateway-added", { isToast: true, text: testText(test) });
      }
      onClose();
    });
  const test = (name: string) =>
    attempt(async () => assign(answer, testText((await client.post("fleet/gateways/test", { name })).test)));
  const remove = (name: string) =>
    notices.attempt("fleet", async () => {
      await client.post("fleet/gateways/remove", { name });
      onClose();
      await refresh();
    });
  const foot = (
    <>
      {stored && <RemoveButton name={stored.name} remove={() => remove(stored.name)} />}
      <span class="grow" role="status">
        <span class="quiet">{answer.value}</span>
      </span>
      {stored && (
        <Button isBusy={isBusy.value} onPress={() => test(stored.name)}>
          {text("fleet.test")}
        </Button>
      )}
      <Button kind="primary" isBusy={isBusy.value} onPress={save}>
        {text(stored ? "fleet.save" : "fleet.test_and_add")}
      </Button>
    </>
  );
  return (
    <Drawer
      title={<bdi>{stored?.name ?? text("fleet.add")}</bdi>}
      head={stored && <GatewayHead gateway={stored} />}
      foot={foot}
      onClose={onClose}
    >
      <form
        class="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <GatewayForm stored={stored} fields={fields} refusal={refusal.value} />
        <Refused of={refusal.value} />
        <button type="submit" hidden />
      </form>
    </Drawer>
  );
}

interface GatewayFormProps {
  stored: FleetGatewayView | undefined;
  fields: Signal<GatewayFields>;
  refusal: Refusal;
}

function GatewayForm({ stored, fields, refusal }: GatewayFormProps) {
  const set = (values: Partial<GatewayFields>) => {
    fields.value = { ...fields.peek(), ...values };
  };
  return (
    <>
      {TEXTS.filter((name) => name !== "name" || !stored).map((name) => (
        <Field key={name} label={text(`fleet.${name}`)} hint={text(`fleet.hint_${name}`)} problem={refusal[name]}>
          <input
            value={fields.value[name]}
            spellcheck={false}
            onInput={({ currentTarget }) => set({ [name]: currentTarget.value })}
          />
        </Field>
      ))}
      <Field
        label={text("fleet.key")}
        hint={text(stored?.keySet ? "fleet.hint_key_set" : "fleet.hint_key")}
        problem={refusal.key}
      >
        <input
          type="password"
          autoComplete="off"
          value={fields.value.key}
          onInput={({ currentTarget }) => set({ key: currentTarget.value })}
        />
      </Field>
      <Field label={text("fleet.ca")} hint={text("fleet.hint_ca")} problem={refusal.ca}>
        <textarea
          class="mono"
          rows={3}
          value={fields.value.ca}
          onInput={({ currentTarget }) => set({ ca: currentTarget.value })}
        />
      </Field>
      <div class="choices">
        <label>
          <input
            type="checkbox"
            checked={fields.value.enabled}
            onChange={({ currentTarget }) => set({ enabled: currentTarget.checked })}
          />
          {text("fleet.enabled")}
        </label>
      </div>
    </>
  );
}

/** State of a gateway, why it is not ready, and the way to its accounts. */
function GatewayHead({ gateway }: { gateway: FleetGatewayView }) {
  const state = stateOf(gateway);
  return (
    <>
      <div class="row">
        <Status tone={toneOf(gateway)}>{text(`fleet.state_${state}`)}</Status>
        <span class="grow" />
        {state === "ready" && (
          <Button size="small" onPress={() => choosePool(gateway.name)}>
            {text("fleet.show")}
          </Button>
        )}
      </div>
      {gateway.keyRefused && <p class="problem">{text("fleet.key_refused_hint")}</p>}
      {gateway.problem && <p class="problem">{gateway.problem}</p>}
    </>
  );
}

function fieldsOf(stored: FleetGatewayView | undefined): GatewayFields {
  const { name = "", url = "", keyRef = "", labels = {}, egress = "", enabled = true } = stored ?? {};
  return { name, url, key: "", keyRef, labels: labelsText(labels), egress, ca: "", enabled };
}

function RemoveButton({ name, remove }: { name: string; remove: () => Promise<unknown> }) {
  return (
    <ConfirmButton question={text("fleet.remove_question", { name })} effect={text("fleet.remove_effect")} act={remove}>
      {text("fleet.remove")}
    </ConfirmButton>
  );
}

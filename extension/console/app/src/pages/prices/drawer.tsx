import { text, tokenText } from "../../language/catalogue.js";
import { clipped, formatActor, formatDay } from "../../language/formats.js";
import { Button } from "../../parts/button.js";
import { DrawerPart } from "../../parts/drawer.js";
import { Facts } from "../../parts/facts.js";
import { Field } from "../../parts/field.js";
import { FormDrawer } from "../../parts/form.js";
import type { Refusal } from "../../parts/refusal.js";
import { useServices } from "../../shell/services.js";
import { flawOf, otherRates, ratesOf, UNITS, type PriceRow } from "./model.js";

const FIELDS = ["model", "provider", "validFrom", "note", ...UNITS.map((unit) => `rates.${unit}`)];

export interface PriceDrawerProps {
  price: PriceRow;
  onClose: () => void;
  refresh: () => Promise<void>;
}

/** Form of an own price: a new one, a change, or one that takes the place of a list's. */
export function PriceDrawer({ price, onClose, refresh }: PriceDrawerProps) {
  const { client, notices } = useServices();
  const save = async (fields: FormData) => {
    const changed = priceOf(fields, price);
    const flaw = flawOf(changed);
    if (flaw) throw flaw;
    await client.put("../model-prices", changed);
    void refresh();
    onClose();
  };
  const remove = () =>
    notices.attempt("prices", async () => {
      await client.delete("../model-prices", { price: price.stored ?? 0 });
      onClose();
      void refresh();
      notices.show("price-removed", {
        text: text("prices.removed", { model: clipped(price.model) }),
        isToast: true,
        action: { label: text("prices.restore"), act: () => restore() },
      });
    });
  const restore = () =>
    notices.attempt("prices", async () => {
      await client.put("../model-prices", requestOf(price));
      await refresh();
    });

  const start = price.kind === "own" && (
    <Button tone="dead" onPress={remove}>
      {text("prices.remove")}
    </Button>
  );
  return (
    <FormDrawer
      title={<bdi>{price.model || text("prices.form")}</bdi>}
      head={<Origin price={price} />}
      names={FIELDS}
      start={start}
      beside={<Button onPress={onClose}>{text("prices.cancel")}</Button>}
      verb={text("prices.save")}
      isUnchecked
      send={save}
      onClose={onClose}
      below={<OtherRates price={price} />}
    >
      {(refusal) => <PriceFields price={price} refusal={refusal} />}
    </FormDrawer>
  );
}

function PriceFields({ price, refusal }: { price: PriceRow; refusal: Refusal }) {
  return (
    <>
      <Field label={text("prices.model")} problem={refusal.model}>
        <input name="model" defaultValue={price.model} required maxLength={200} />
      </Field>
      <div class="fields">
        <Field label={text("prices.provider")} problem={refusal.provider}>
          <input name="provider" defaultValue={price.provider} maxLength={100} />
        </Field>
        <Field label={text("prices.valid_from")} problem={refusal.validFrom}>
          <input name="validFrom" type="date" defaultValue={price.validFrom ?? ""} />
        </Field>
      </div>
      <p class="quiet">{text("prices.per_million")}</p>
      <div class="fields">
        {UNITS.map((unit) => (
          <Field key={unit} label={tokenText("unit", unit)} problem={refusal[`rates.${unit}`]}>
            <input name={unit} inputMode="decimal" defaultValue={price.rates[unit]?.amount ?? ""} />
          </Field>
        ))}
      </div>
      <Field label={text("prices.note")} problem={refusal.note}>
        <input name="note" defaultValue={price.note} maxLength={200} />
      </Field>
    </>
  );
}

/** Where a price comes from. */
function Origin({ price: { kind, source, setBy, validFrom } }: { price: PriceRow }) {
  if (kind === "unpriced" || !source) return <p class="quiet">{text("prices.unpriced")}</p>;
  const name = tokenText("price_source", source);
  const words = kind === "own" ? text("prices.set_by", { source: name, actor: formatActor(setBy) }) : name;
  return <p class="quiet">{validFrom ? `${words} · ${formatDay(validFrom)}` : words}</p>;
}

function OtherRates({ price }: { price: PriceRow }) {
  const others = otherRates(price);
  if (!others.length) return null;
  return (
    <DrawerPart title={text("prices.other_rates")}>
      <Facts rows={others.map(({ unit, rate }) => [unit, <span class="number">{rate}</span>])} />
    </DrawerPart>
  );
}

function requestOf({ model, provider, serviceTier, validFrom, rates, note }: PriceRow) {
  return { model, provider, serviceTier, validFrom, rates, note };
}

function priceOf(form: FormData, price: PriceRow) {
  const fields = Object.fromEntries([...form].map(([name, value]) => [name, String(value)]));
  return {
    ...requestOf(price),
    model: fields.model.trim(),
    provider: fields.provider.trim(),
    validFrom: fields.validFrom || null,
    rates: ratesOf(fields, price.rates),
    note: fields.note,
  };
}

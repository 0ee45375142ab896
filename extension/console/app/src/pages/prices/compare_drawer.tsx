import { useSignal } from "@preact/signals";
import type { ModelDifferenceView, PriceSource, SyncAnswer } from "../../connection/api.js";
import { explained, isSilent, type Explanation } from "../../connection/problem.js";
import { text, tokenText } from "../../language/catalogue.js";
import { UNKNOWN } from "../../language/formats.js";
import { Button } from "../../parts/button.js";
import { Drawer, DrawerPart } from "../../parts/drawer.js";
import { EmptyText } from "../../parts/empty_text.js";
import { Segmented } from "../../parts/segmented.js";
import { withRows, type Selection } from "../../parts/table/selection.js";
import { useServices } from "../../shell/services.js";
import { nameOf, rateText } from "./model.js";

const LISTS = ["litellm", "models_dev"] as const satisfies PriceSource[];
const MOST_ROWS = 200;

/** Comparison with a public list: differences, preview and takeover. */
export function CompareDrawer({ onClose, refresh }: { onClose: () => void; refresh: () => Promise<void> }) {
  const { client, router, notices } = useServices();
  const list = LISTS.find((name) => name === router.get("compare")) ?? LISTS[0];
  const answer = useSignal<SyncAnswer | null>(null);
  const trouble = useSignal<Explanation | null>(null);
  const chosen = useSignal<Selection>(new Set());

  const preview = async () => {
    trouble.value = null;
    chosen.value = new Set();
    try {
      answer.value = await client.post("../model-prices/sync", { list });
    } catch (problem) {
      if (!isSilent(problem)) trouble.value = explained(problem);
    }
  };
  const take = () =>
    notices.attempt("prices", async () => {
      const revision = answer.peek()?.revision;
      await client.post("../model-prices/sync", { list, apply: true, revision, models: [...chosen.peek()] });
      await Promise.all([refresh(), preview()]);
    });

  const foot = answer.value && (
    <Button kind="primary" isDisabled={!chosen.value.size} onPress={take}>
      {text("prices.take", { n: chosen.value.size })}
    </Button>
  );
  const choose = (name: string, isChosen: boolean) => {
    chosen.value = withRows(chosen.peek(), [name], isChosen);
  };
  return (
    <Drawer title={text("prices.compare")} foot={foot} onClose={onClose}>
      <p class="quiet">{text("prices.compare_hint")}</p>
      <div class="row">
        <Segmented
          label={text("prices.list")}
          value={list}
          segments={LISTS.map((value) => ({ value, label: tokenText("price_source", value) }))}
          onChange={(value) => {
            answer.value = null;
            router.set({ compare: value });
          }}
        />
        <Button onPress={preview}>{text("prices.preview")}</Button>
      </div>
      {trouble.value && <EmptyText title={trouble.value.message} hint={trouble.value.hint} isProblem />}
      {answer.value && <Differences answer={answer.value} chosen={chosen.value} choose={choose} />}
    </Drawer>
  );
}

interface ChoiceProps {
  chosen: Selection;
  choose: (name: string, isChosen: boolean) => void;
}

function Differences({ answer, chosen, choose }: ChoiceProps & { answer: SyncAnswer }) {
  const { compared, differing, new: added, differences, additions } = answer;
  return (
    <>
      <p role="status">{text("prices.compared", { compared, n: differing, added })}</p>
      {differences.length > 0 && (
        <DrawerPart title={text("prices.differences")}>
          <ModelList models={differences} total={differing} chosen={chosen} choose={choose} />
        </DrawerPart>
      )}
      {additions.length > 0 && (
        <details>
          <summary>{text("prices.additions_count", { n: added })}</summary>
          <ModelList models={additions} total={added} chosen={chosen} choose={choose} />
        </details>
      )}
    </>
  );
}

function ModelList(props: ChoiceProps & { models: readonly ModelDifferenceView[]; total: number }) {
  const shown = props.models.slice(0, MOST_ROWS);
  return (
    <>
      <ul class="stack">
        {shown.map((model) => (
          <ModelChoice key={nameOf(model)} model={model} chosen={props.chosen} choose={props.choose} />
        ))}
      </ul>
      {props.total > shown.length && <p class="quiet">{text("prices.cut", { n: shown.length })}</p>}
    </>
  );
}

function ModelChoice({ model, chosen, choose }: ChoiceProps & { model: ModelDifferenceView }) {
  const name = nameOf(model);
  return (
    <li>
      <label class="row">
        <input
          type="checkbox"
          aria-label={text("prices.take_one", { model: name })}
          checked={chosen.has(name)}
          onChange={(event) => choose(name, event.currentTarget.checked)}
        />
        <bdi>{name}</bdi>
      </label>
      {model.units.map(({ unit, ours, theirs, factor }) => (
        <p key={unit} class="quiet number">
          {tokenText("unit", unit)}: {rateText(ours)} → {rateText(theirs)} ({factor ? `× ${Number(factor)}` : UNKNOWN})
        </p>
      ))}
    </li>
  );
}

import { ChevronDown } from "lucide";
import { text } from "../../language/catalogue.js";
import { clipped } from "../../language/formats.js";
import { Chip } from "../../parts/chip.js";
import { Menu } from "../../parts/menu.js";
import { useServices } from "../../shell/services.js";
import { toneOfFailure } from "../../usage/failures.js";
import { FilterChips } from "../../usage/filter_chips.js";
import { chipsOf, nameIn, offered } from "./model.js";
import { CHOICES, type Choice, type Names, type Requests } from "./read_requests.js";

const LONGEST = 40;

/** Results with their counts, and choices of the names that the period has. */
export function Filters({ requests, names }: { requests: Requests; names: Names | null }) {
  const { router } = useServices();
  const [failed, failure] = [router.get("failed"), router.get("failure")];
  const chips = chipsOf(requests.summary, toneOfFailure);
  const isOffered = chips.some(({ filters }) => filters.failure === failure && filters.failed === failed);
  return (
    <div class="chips list-head">
      {chips.map(({ filters, label, count, tone }) => (
        <Chip
          key={label}
          label={clipped(label, LONGEST)}
          count={count}
          tone={tone}
          isOn={filters.failed === failed && filters.failure === failure}
          onPress={() => router.set(filters, { push: true })}
        />
      ))}
      <FilterChips
        names={isOffered ? ["provider"] : ["provider", "failure"]}
        shownOf={(by, name) => nameIn(names, by, name)}
      />
    </div>
  );
}

/** Choices of a model, an account and a client key. */
export function NameMenus({ names }: { names: Names | null }) {
  return (
    <>
      {CHOICES.map((by) => (
        <NameMenu key={by} by={by} names={names} />
      ))}
    </>
  );
}

function NameMenu({ by, names }: { by: Choice; names: Names | null }) {
  const { router } = useServices();
  const current = router.get(by);
  const choose = (name: string) => router.set({ [by]: name }, { push: true });
  const items = [
    { label: text("requests.all"), isChecked: !current, act: () => choose("") },
    ...offered(names, by, current).map(({ name, label }) => ({
      label: clipped(label, LONGEST),
      isChecked: name === current,
      act: () => choose(name),
    })),
  ];
  const label = text(`requests_column.${by}`);
  const shown = current ? `${label}: ${clipped(nameIn(names, by, current), LONGEST)}` : label;
  return <Menu label={shown} icon={ChevronDown} items={items} isLabelShown />;
}

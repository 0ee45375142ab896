import { X } from "lucide";
import { text } from "../language/catalogue.js";
import { clipped } from "../language/formats.js";
import { Icon } from "../parts/icon.js";
import { useServices } from "../shell/services.js";
import { filtersOf } from "./selection.js";

/** Filters in force, each with what removes it. `shownOf` names a value of a filter. */
export function FilterChips(props: {
  shownOf: (filter: string, value: string) => string;
  /** Filters to show; without them all. */
  names?: readonly string[];
}) {
  const { router } = useServices();
  const filters = Object.entries(filtersOf((name) => router.get(name))).filter(
    ([name]) => props.names?.includes(name) ?? true,
  );
  return (
    <>
      {filters.map(([name, value]) => {
        const failed = text(value === "true" ? "usage.only_failed" : "usage.only_good");
        const shown = clipped(name === "failed" ? failed : props.shownOf(name, value), 60);
        return (
          <button
            key={name}
            type="button"
            class="chip"
            aria-label={text("usage.remove_filter", { name: shown })}
            onClick={() => router.set({ [name]: "" }, { push: true })}
          >
            <bdi>{shown}</bdi>
            <Icon of={X} size={12} />
          </button>
        );
      })}
    </>
  );
}

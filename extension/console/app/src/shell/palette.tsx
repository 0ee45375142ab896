import { signal, useSignal } from "@preact/signals";
import { LogOut, Search } from "lucide";
import { useEffect, useRef } from "preact/hooks";
import { text } from "../language/catalogue.js";
import { Icon } from "../parts/icon.js";
import { offeredPages, pageAddress, pageRow } from "./pages.js";
import { matching, searchOf, type Command } from "./palette_model.js";
import { useServices, type Services } from "./services.js";
import { assign } from "../parts/assign.js";

/** Accounts are ten thousand commands at times. */
const MOST_SHOWN = 50;

const isOpen = signal(false);

export function openPalette(): void {
  isOpen.value = true;
}

/** Opens with Ctrl K or ⌘K. */
export function Palette() {
  useEffect(() => {
    const toggle = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey)
        return;
      event.preventDefault();
      isOpen.value = !isOpen.value;
    };
    document.addEventListener("keydown", toggle);
    return () => document.removeEventListener("keydown", toggle);
  }, []);
  return isOpen.value ? <PaletteDialog /> : null;
}

function PaletteDialog() {
  const services = useServices();
  const dialog = useRef<HTMLDialogElement>(null);
  const typed = useSignal("");
  const at = useSignal(0);
  useEffect(() => dialog.current?.showModal(), []);
  const search = searchOf(typed.value);
  const commands = [
    ...matching([...commandsOf(services), ...services.commands.value], search).slice(0, MOST_SHOWN),
    ...(search ? [accountsCommand(services, search)] : []),
  ];
  const current = Math.min(at.value, commands.length - 1);
  const run = (command: Command | undefined) => {
    if (!command) return;
    dialog.current?.close();
    command.act();
  };
  const steer = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) at.value = (current + step + commands.length) % Math.max(commands.length, 1);
    else if (event.key === "Enter") run(commands[current]);
    else return;
    event.preventDefault();
  };
  return (
    <dialog
      ref={dialog}
      class="dialog palette"
      aria-label={text("console.find_anything")}
      onClose={() => assign(isOpen, false)}
      onClick={({ target }) => target === dialog.current && dialog.current?.close()}
    >
      <div class="search">
        <Icon of={Search} />
        <input
          role="combobox"
          aria-expanded="true"
          aria-controls="palette-list"
          aria-activedescendant={commands.length ? `palette-${current}` : undefined}
          aria-label={text("console.find_anything")}
          placeholder={text("console.find_anything")}
          autocomplete="off"
          spellcheck={false}
          autofocus
          onInput={(event) => {
            typed.value = event.currentTarget.value;
            at.value = 0;
          }}
          onKeyDown={steer}
        />
      </div>
      <div id="palette-list" role="listbox" aria-label={text("console.find_anything")}>
        {commands.map((command, index) => (
          <div
            key={command.id}
            id={`palette-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === current}
            onClick={() => run(command)}
          >
            {command.icon && <Icon of={command.icon} />}
            {command.label}
          </div>
        ))}
      </div>
    </dialog>
  );
}

/** Look for accounts from every page: only the page of accounts knows them. */
function accountsCommand({ router }: Services, search: string): Command {
  return {
    id: "accounts",
    label: text("console.find_accounts", { search }),
    icon: Search,
    act: () => router.go(pageAddress("inspection", { q: search })),
  };
}

function commandsOf(services: Services): Command[] {
  const { router, signOut } = services;
  const pages = offeredPages(services).map((name) => ({
    id: name,
    label: text(`pages.${name}`),
    icon: pageRow(name).icon,
    act: () => router.go(name),
  }));
  return [...pages, { id: "sign-out", label: text("sign_in.out"), icon: LogOut, act: signOut }];
}

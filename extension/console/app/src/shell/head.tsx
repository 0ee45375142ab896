import { useSignal } from "@preact/signals";
import { Search } from "lucide";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Icon } from "../parts/icon.js";

/** Pause in typing after which a search begins. */
const TYPING_MS = 150;

/** Head of a page: its only `h1`, then tabs, search, and buttons with at most one primary one. */
export function Head({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <header class="head">
      <h1 tabIndex={-1}>{title}</h1>
      {children}
    </header>
  );
}

/** Search of a page; `/` puts the keyboard into it. `onSearch` is called a moment after the text has changed. */
export function HeadSearch(props: { label: string; value: string; onSearch: (words: string) => void }) {
  const field = useRef<HTMLInputElement>(null);
  const typed = useSignal(props.value);
  const sent = useRef(props.value);
  const timer = useRef<ReturnType<typeof setTimeout>>();
  useEffect(() => {
    if (props.value !== sent.current) typed.value = props.value;
    sent.current = props.value;
  }, [props.value]);
  const search = (words: string) => {
    typed.value = words;
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      sent.current = words;
      props.onSearch(words);
    }, TYPING_MS);
  };
  useEffect(() => {
    const jump = (event: KeyboardEvent) => {
      if (event.key !== "/" || event.defaultPrevented || isTyping(event.target)) return;
      event.preventDefault();
      field.current?.focus();
    };
    document.addEventListener("keydown", jump);
    return () => document.removeEventListener("keydown", jump);
  }, []);
  return (
    <search class="search">
      <Icon of={Search} />
      <input
        ref={field}
        type="search"
        maxLength={200}
        aria-label={props.label}
        placeholder={props.label}
        value={typed.value}
        onInput={(event) => search(event.currentTarget.value)}
      />
      <kbd aria-hidden="true">/</kbd>
    </search>
  );
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("input, select, textarea, dialog") !== null;
}

import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

/** Section with a heading, and controls at the end of its head. */
export function Card(props: {
  title: string;
  note?: ComponentChildren;
  controls?: ComponentChildren;
  children: ComponentChildren;
}) {
  const id = useId();
  return (
    <section class="card" aria-labelledby={id}>
      <header>
        <h2 id={id}>{props.title}</h2>
        {props.note && <span class="quiet">{props.note}</span>}
        {props.controls && <div class="controls">{props.controls}</div>}
      </header>
      {props.children}
    </section>
  );
}

import type { ComponentChildren } from "preact";

/** Words in place of rows: why there are none, and the next step. */
export function EmptyText(props: { title: string; hint?: string; isProblem?: boolean; children?: ComponentChildren }) {
  return (
    <div class="empty" role={props.isProblem ? "alert" : undefined}>
      <p>{props.title}</p>
      {props.hint && <p class="quiet">{props.hint}</p>}
      {props.children && <div class="row">{props.children}</div>}
    </div>
  );
}

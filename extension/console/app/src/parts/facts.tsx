import { Fragment, type ComponentChildren } from "preact";

/** Names with their values; a text is from outside, or may be. */
export function Facts(props: { rows: readonly (readonly [ComponentChildren, ComponentChildren])[]; more?: string }) {
  return (
    <dl class={`facts ${props.more ?? ""}`}>
      {props.rows.map(([name, value], index) => (
        <Fragment key={index}>
          <dt>{name}</dt>
          <dd>{typeof value === "string" ? <bdi>{value}</bdi> : value}</dd>
        </Fragment>
      ))}
    </dl>
  );
}

import { Fragment } from "react"

/** A domain breaks after a dot rather than within a word. */
export function NameText({ name }: { name: string }) {
  return name.split(".").map((part, index) => (
    <Fragment key={index}>
      {index > 0 ? "." : null}
      {index > 0 ? <wbr /> : null}
      {part}
    </Fragment>
  ))
}

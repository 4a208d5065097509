import { Fragment } from "react"

/** A text that breaks after a mark, such as the slash of a route, rather than within a word. */
export function BreakAfter({ mark, text }: { mark: string; text: string }) {
  return text.split(mark).map((part, index) => (
    <Fragment key={index}>
      {index > 0 ? (
        <>
          {mark}
          <wbr />
        </>
      ) : null}
      {part}
    </Fragment>
  ))
}

/** The time of day, with the date where that is not today. The exact moment is on hover. */
export function Clock({ at }: { at: string }) {
  const date = new Date(at)
  const today = date.toDateString() === new Date().toDateString()
  const day = today ? "" : `${date.toLocaleDateString("en-GB", { day: "numeric", month: "short" })} `
  // The server does not know the reader's time zone; the browser puts it right.
  return (
    <time dateTime={at} title={at} suppressHydrationWarning>
      {day}
      {date.toLocaleTimeString("en-GB")}
    </time>
  )
}

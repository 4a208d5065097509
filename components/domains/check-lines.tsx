import { dateWords } from "@/components/ui/date-words"
import { Line, Lines } from "@/components/ui/timeline"
import type { CheckLine } from "@/components/domains/checks"
import { DomainStatusPill } from "@/components/domains/status-pill"

/** DNS checks, one line for each change. */
export function CheckLines({ lines }: { lines: CheckLine[] }) {
  return (
    <Lines label="Check results, newest first">
      {lines.map((line) => (
        <Line
          key={line.key}
          time={<Clock at={line.at} />}
          aside={<DomainStatusPill words={{ ...line, tip: "" }} inTable />}
        >
          {line.text}
        </Line>
      ))}
    </Lines>
  )
}

/** The time of day, with the date where that is not today. The exact moment is on hover. */
function Clock({ at }: { at: string }) {
  const date = new Date(at)
  const today = date.toDateString() === new Date().toDateString()
  const day = today ? "" : `${dateWords(date, { day: "numeric", month: "short" })} `
  // The server does not know the reader's time zone; the browser puts it right.
  return (
    <time dateTime={at} title={at} suppressHydrationWarning>
      {day}
      {dateWords(date, { timeStyle: "medium" })}
    </time>
  )
}

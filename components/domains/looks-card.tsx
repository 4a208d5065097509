"use client"

import { Card, CardHeader } from "@/components/ui/card"
import { Line, Lines } from "@/components/ui/lines"
import { RelativeTime } from "@/components/ui/relative-time"
import { lookLines } from "./looks"
import { StatusPill } from "./status-pill"
import type { Domain } from "./types"

/** Lines shown; the rest is long ago. */
const linesShown = 12

/** The history of looks at the DNS. */
export function LooksCard({ domain }: { domain: Domain }) {
  const lines = lookLines(domain.looks ?? []).slice(0, linesShown)
  return (
    <Card aria-label="Checks">
      <CardHeader
        title="Checks"
        actions={
          domain.checkedAt ? (
            <span>
              Last looked <RelativeTime at={domain.checkedAt} />
            </span>
          ) : (
            <span>Not looked yet</span>
          )
        }
      />
      {lines.length > 0 ? (
        <Lines label="What the checks showed, newest first">
          {lines.map((line) => (
            <Line
              key={line.key}
              time={<Clock at={line.at} />}
              aside={<StatusPill words={{ ...line, tip: "" }} inTable />}
            >
              {line.text}
            </Line>
          ))}
        </Lines>
      ) : (
        <p className="px-4 py-3 text-muted">
          {domain.checkedAt
            ? "None of the records was found yet."
            : "The first check comes a few seconds after the domain was added."}
        </p>
      )}
    </Card>
  )
}

/** The time of day, with the date where that is not today. The exact moment is on hover. */
function Clock({ at }: { at: string }) {
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

import { Line, Lines } from "@/components/ui/lines"
import { Clock } from "@/components/domains/clock"
import type { LookLine } from "@/components/domains/looks"
import { StatusPill } from "@/components/domains/status-pill"

/** Looks at the DNS, one line for each thing that changed. */
export function LookLines({ lines }: { lines: LookLine[] }) {
  return (
    <Lines label="What the checks showed, newest first">
      {lines.map((line) => (
        <Line key={line.key} time={<Clock at={line.at} />} aside={<StatusPill words={{ ...line, tip: "" }} inTable />}>
          {line.text}
        </Line>
      ))}
    </Lines>
  )
}

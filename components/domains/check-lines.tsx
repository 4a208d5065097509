import { Line, Lines } from "@/components/ui/lines"
import { Clock } from "@/components/domains/clock"
import type { CheckLine } from "@/components/domains/checks"
import { StatusPill } from "@/components/domains/status-pill"

/** DNS checks, one line for each change. */
export function CheckLines({ lines }: { lines: CheckLine[] }) {
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

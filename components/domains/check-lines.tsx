import { DayTime } from "@/components/data/clock-time"
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
          time={<DayTime at={line.at} />}
          aside={<DomainStatusPill words={{ ...line, tip: "" }} inTable />}
        >
          {line.text}
        </Line>
      ))}
    </Lines>
  )
}

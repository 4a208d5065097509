import { signalWords } from "@/components/operator/destination-words"
import type { DestinationDetail } from "@/components/operator/queries"
import { Card, CardBody, CardHeader } from "@/components/ui/card"
import { formatNumber } from "@/lib/platform/format"
import { hourMs } from "@/lib/platform/time"

type Hour = DestinationDetail["hours"][number]

const [height, bars] = [60, 24]

/** What was delivered and put off hour by hour, with what the servers asked for in it. */
export function DestinationHours({ hours, readAt }: { hours: readonly Hour[]; readAt: number }) {
  if (hours.length === 0) return null
  const first = (Math.floor(readAt / hourMs) - bars + 1) * hourMs
  const scale = Math.max(1, ...hours.map(({ delivered, deferred }) => delivered + deferred))
  const signals = hours.filter((hour) => hour.signals.length > 0).toReversed()
  const total = (of: "delivered" | "deferred") => formatNumber(hours.reduce((sum, hour) => sum + hour[of], 0))
  const sums = `${total("delivered")} delivered, ${total("deferred")} put off`
  return (
    <Card aria-label="Last 24 hours">
      <CardHeader title="Last 24 hours" description={`${sums}; by the hour, in UTC.`} />
      <CardBody>
        <div className="h-16 border-b border-line-strong">
          <svg
            role="img"
            aria-label={`By the hour: ${sums}. At most ${formatNumber(scale)} in an hour.`}
            viewBox={`0 0 ${bars} ${height}`}
            preserveAspectRatio="none"
            className="block size-full"
          >
            {hours.map((hour) => (
              <Bar key={hour.hour} hour={hour} at={(Date.parse(hour.hour) - first) / hourMs} scale={scale} />
            ))}
          </svg>
        </div>
        {signals.length > 0 ? (
          <ul className="mt-3 space-y-1 text-sm tabular-nums">
            {signals.map(({ hour, signals: told }) => (
              <li key={hour}>
                <span className="mr-3 text-muted">{hour.slice(11, 16)}</span>
                {told.map((signal) => signalWords[signal]).join(", ")}
              </li>
            ))}
          </ul>
        ) : null}
      </CardBody>
    </Card>
  )
}

function Bar({ hour: { delivered, deferred, signals }, at, scale }: { hour: Hour; at: number; scale: number }) {
  const [good, late] = [(delivered / scale) * height, (deferred / scale) * height]
  return (
    <>
      <rect x={at + 0.1} y={height - good} width={0.8} height={good} className="fill-good" />
      <rect x={at + 0.1} y={height - good - late} width={0.8} height={late} className="fill-warn" />
      {signals.length > 0 ? <rect x={at + 0.1} y={height - 3} width={0.8} height={3} className="fill-bad" /> : null}
    </>
  )
}

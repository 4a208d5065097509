import type { HealthDetail } from "@/components/webhooks/queries"

type Hour = HealthDetail["hours"][number]

/** Deliveries by hour; the red part of a bar is the share whose first attempt failed. */
export function HourBars({ hours }: { hours: Hour[] }) {
  const top = Math.max(1, ...hours.map(totalOf))
  return (
    <figure className="mt-3">
      <figcaption className="mb-2 flex flex-wrap gap-x-4 text-xs text-muted">
        <Key className="bg-good">Delivered on the first attempt</Key>
        <Key className="bg-bad">First attempt failed</Key>
      </figcaption>
      <ul className="flex h-14 items-end gap-0.5 border-b border-line sm:gap-[3px]">
        {hours.map((hour) => (
          <li key={hour.hour} title={words(hour)} className="flex h-full flex-1 flex-col justify-end">
            <span className="sr-only">{words(hour)}</span>
            <span aria-hidden="true" className="rounded-t-xs bg-bad" style={{ height: part(hour.firstFailed, top) }} />
            <span aria-hidden="true" className="bg-good" style={{ height: part(hour.firstSucceeded, top) }} />
          </li>
        ))}
      </ul>
      <p aria-hidden="true" className="flex justify-between pt-1 text-xs text-faint tabular-nums">
        {hours
          .filter((_, index) => index % 6 === 0)
          .map(({ hour }) => (
            <span key={hour}>{hour.slice(11, 16)}</span>
          ))}
        <span>now (UTC)</span>
      </p>
    </figure>
  )
}

function Key({ className, children }: { className: string; children: string }) {
  return (
    <span className="inline-flex items-center gap-1.5">
      <span aria-hidden="true" className={`size-2 rounded-xs ${className}`} />
      {children}
    </span>
  )
}

function totalOf({ firstSucceeded, firstFailed }: Hour): number {
  return firstSucceeded + firstFailed
}

/** What is there stays visible, however small. */
function part(count: number, top: number): string {
  return count === 0 ? "0" : `max(2px, ${(count / top) * 100}%)`
}

function words(hour: Hour): string {
  const failed = hour.firstFailed ? `, ${hour.firstFailed.toLocaleString("en")} failed at first` : ""
  return `From ${hour.hour.slice(11, 16)} UTC: ${totalOf(hour).toLocaleString("en")} deliveries${failed}`
}

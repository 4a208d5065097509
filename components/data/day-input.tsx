import { cn } from "@/components/ui/cn"
import { Input } from "@/components/ui/input"
import { useTimeZone } from "@/components/ui/local-time"

type DayInputProps = { label: string; value: string; least?: string; most?: string; onChange: (day: string) => void }

/** Days are of the zone in which times are written, like those of Metrics. */
export function DayInput({ label, value, least, most, onChange }: DayInputProps) {
  const timeZone = useTimeZone()
  const utc = timeZone === "UTC"
  return (
    <label className="relative block">
      <span className="sr-only">
        {label}, day in {timeZone}
      </span>
      <span aria-hidden="true" className="pointer-events-none absolute top-1.5 left-2.5 text-muted">
        {label}
        {utc ? <span className="max-sm:hidden">, UTC</span> : null}
      </span>
      <Input
        type="date"
        title={`${label} this day, in ${timeZone}`}
        value={value}
        min={least || undefined}
        max={most || undefined}
        className={cn("pl-13 tabular-nums", utc && "sm:pl-21")}
        onChange={({ target }) => onChange(target.value)}
      />
    </label>
  )
}

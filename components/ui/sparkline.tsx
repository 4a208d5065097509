import { cn } from "@/components/ui/cn"

type SparklineProps = {
  values: number[]
  /** Says in words what the line shows: "Emails a day over the last 7 days, rising". */
  label: string
  className?: string
}

const width = 96
const height = 24

export function Sparkline({ values, label, className }: SparklineProps) {
  const points = outline(values)
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      className={cn("h-6 w-24 text-accent", className)}
    >
      {points ? (
        <>
          <path d={`M${points}L${width} ${height}L0 ${height}Z`} fill="currentColor" fillOpacity="0.08" />
          <path
            d={`M${points}`}
            fill="none"
            stroke="currentColor"
            strokeWidth="1.5"
            strokeLinejoin="round"
            strokeLinecap="round"
            vectorEffect="non-scaling-stroke"
          />
        </>
      ) : null}
    </svg>
  )
}

/** Points from left to right; zero is the floor, so that small changes do not look like large ones. */
function outline(values: number[]): string {
  if (values.length < 2) return ""
  const top = Math.max(...values, 1)
  const step = width / (values.length - 1)
  return values
    .map((value, index) => `${round(index * step)} ${round(height - 2 - (value / top) * (height - 4))}`)
    .join("L")
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}

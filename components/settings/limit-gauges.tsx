"use client"

import { useQuery } from "@tanstack/react-query"
import { formatNumber } from "@/lib/platform/format"
import { dailyState } from "@/components/settings/daily-state"
import { projectSettings } from "@/components/settings/queries"
import { useTimeOfDay } from "@/components/settings/use-time-of-day"
import { Card, CardHeader } from "@/components/ui/card"
import { Progress } from "@/components/ui/progress"
import type { Api } from "@/lib/api/registry"

type Settings = Api["GET /v1/projects/{projectId}/settings"]["answer"]
type Gauge = {
  label: string
  used: number
  limit: number
  /** How a number is written; plain where absent. */
  shown?: (value: number) => string
  note: string
  tone: "accent" | "warn" | "bad"
}

/** How much of each limit is used, asked again while the page is open. */
export function LimitGauges({ projectId }: { projectId: string }) {
  const settings = useQuery({ ...projectSettings(projectId), refetchInterval: 15_000 }).data
  const timeOfDay = useTimeOfDay()
  if (!settings) return null
  return (
    <Card id="limits" aria-labelledby="limits-title" className="scroll-mt-16">
      <CardHeader id="limits-title" title="Limits" description="In use now. Updated every 15 seconds." />
      <ul className="grid gap-x-8 gap-y-5 p-4 sm:grid-cols-2 xl:grid-cols-3">
        {gaugesOf(settings, timeOfDay).map(({ label, used, limit, shown = plain, note, tone }) => (
          <li key={label} className="min-w-0">
            <div className="mb-1.5 flex flex-wrap items-baseline justify-between gap-x-3">
              <h3 className="font-medium">{label}</h3>
              <span className="text-muted tabular-nums">
                {shown(used)} of {shown(limit)}
              </span>
            </div>
            <Progress label={`${label} in use`} value={used} max={limit} tone={tone} />
            <p className={`mt-1.5 text-sm ${noteStyle[tone]}`}>{note}</p>
          </li>
        ))}
      </ul>
    </Card>
  )
}

const noteStyle = { accent: "text-muted", warn: "text-warn", bad: "text-bad" }

const plain = (value: number) => formatNumber(value)

function gaugesOf({ limits, today, burst, storage }: Settings, timeOfDay: (at: string) => string): Gauge[] {
  const daily = dailyState({ ...limits.dailySends, ...today }, timeOfDay)
  const perSecond = formatNumber(limits.perSecondSends.value)
  return [
    { label: "Sends today", used: limits.dailySends.used ?? 0, limit: limits.dailySends.value, ...daily },
    {
      label: "Send burst",
      ...{ used: burst.used, limit: burst.size, tone: burst.used >= burst.size ? "bad" : "accent" },
      note:
        burst.used >= burst.size
          ? `Used up: more than ${perSecond} a second are refused.`
          : `Up to ${formatNumber(burst.size)} at once, then ${perSecond} a second.`,
    },
    gauge("Domains", limits.maxDomains),
    gauge("API keys", limits.maxApiKeys),
    gauge("Webhooks", limits.maxWebhooks),
    storageGauge(storage),
  ]
}

function gauge(label: string, { value, used = 0 }: { value: number; used?: number }): Gauge {
  const left = Math.max(0, value - used)
  const note = left === 0 ? "The limit is reached." : `${formatNumber(left)} more can be added.`
  return { label, used, limit: value, note, tone: left === 0 ? "warn" : "accent" }
}

function storageGauge({ usedBytes, limitBytes }: Settings["storage"]): Gauge {
  const share = usedBytes / limitBytes
  return {
    label: "Storage",
    ...{ used: usedBytes, limit: limitBytes, shown: sizeInWords },
    tone: share >= 1 ? "bad" : share >= 0.8 ? "warn" : "accent",
    note:
      share >= 1
        ? "Full: sends and uploads are refused until old content is deleted."
        : "Content of emails, sandbox messages, webhook deliveries and files.",
  }
}

function sizeInWords(bytes: number): string {
  const [unit, size] = bytes < 2 ** 30 ? ["MiB", 2 ** 20] : ["GiB", 2 ** 30]
  const digits = bytes > 0 && bytes < 10 * size ? 1 : 0
  return `${(bytes / size).toLocaleString("en", { maximumFractionDigits: digits })} ${unit}`
}

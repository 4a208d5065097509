"use client"

import { formatNumber } from "@/lib/platform/format"
import { dailyState } from "@/components/settings/daily-state"
import { Card, CardHeader } from "@/components/ui/card"
import { Progress } from "@/components/ui/progress"
import { TextLink } from "@/components/ui/text-link"
import type { Api } from "@/lib/api/registry"

type Settings = Api["GET /v1/projects/{projectId}/settings"]["answer"]
type LimitsCardProps = { projectId: string; settings: Settings; timeOfDay: (at: string) => string }

/** What is used of the day, and what may be sent at once. */
export function LimitsCard({ projectId, settings: { limits, today, burst }, timeOfDay }: LimitsCardProps) {
  const { value, used = 0 } = limits.dailySends
  const daily = dailyState({ ...limits.dailySends, ...today }, timeOfDay)
  const full = burst.used >= burst.size
  return (
    <Card aria-labelledby="overview-limits">
      <CardHeader
        id="overview-limits"
        title="Limits today"
        actions={<TextLink href={`/projects/${projectId}/settings#limits`}>All limits</TextLink>}
      />
      <ul className="divide-y divide-line">
        <Limit label={`${count(used)} of ${count(value)} emails`} used={used} limit={value} {...daily} />
        <Limit
          label={`${count(burst.used)} of ${count(burst.size)} at once`}
          used={burst.used}
          limit={burst.size}
          tone={full ? "bad" : "accent"}
          note={`Then ${count(limits.perSecondSends.value)} a second.`}
        />
      </ul>
    </Card>
  )
}

type LimitProps = { label: string; used: number; limit: number; note: string; tone: "accent" | "warn" | "bad" }

function Limit({ label, used, limit, note, tone }: LimitProps) {
  return (
    <li className="px-4 py-3">
      <p className="mb-2 flex justify-between gap-3">
        <b className="font-medium tabular-nums">{label}</b>
        <span className="text-muted tabular-nums">{Math.floor((used / Math.max(1, limit)) * 100)}%</span>
      </p>
      <Progress label={label} value={used} max={limit} tone={tone} />
      <p className={`mt-2 text-sm ${noteStyle[tone]}`}>{note}</p>
    </li>
  )
}

const noteStyle = { accent: "text-muted", warn: "text-warn", bad: "text-bad" }
const count = (value: number) => formatNumber(value)

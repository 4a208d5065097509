"use client"

import { useQuery } from "@tanstack/react-query"
import { Form, FormRefusal } from "@/components/data/form"
import { usePageForm } from "@/components/late-parts/use-page-form"
import { dailyState } from "@/components/settings/daily-state"
import { SaveFooter } from "@/components/settings/general-form"
import { projectSettings, useUpdateProject } from "@/components/settings/queries"
import { useTimeOfDay } from "@/components/ui/local-time"
import { Card, CardBody, CardHeader } from "@/components/ui/card"
import { Field } from "@/components/ui/field"
import { Input } from "@/components/ui/input"
import { ProgressBar } from "@/components/ui/loading"
import { toast } from "@/components/ui/toast"
import type { Api } from "@/lib/api/registry"
import { formatNumber } from "@/lib/platform/format"

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
            <ProgressBar label={`${label} in use`} value={used} max={limit} tone={tone} />
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
      label: "Burst",
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

type Limits = Api["GET /v1/projects/{projectId}/settings"]["answer"]["limits"]
type LimitName = keyof Limits

const rows: { name: LimitName; label: string; what: string }[] = [
  { name: "perSecondSends", label: "Sends a second", what: "On average; short bursts can be faster." },
  { name: "dailySends", label: "Sends a day", what: "For the whole organization; resets at midnight UTC." },
  { name: "maxRecipientsPerMessage", label: "Recipients of one message", what: "To, cc and bcc together." },
  { name: "maxDomains", label: "Domains", what: "" },
  { name: "maxApiKeys", label: "API keys", what: "Active keys." },
  { name: "maxWebhooks", label: "Webhooks", what: "" },
]

/** The limits of the project, each up to the ceiling that the operator has set. */
export function LimitsForm({ projectId, limits, mayEdit }: { projectId: string; limits: Limits; mayEdit: boolean }) {
  const update = useUpdateProject()
  const form = usePageForm({
    schema: () => import("@/lib/projects/schema").then(({ ProjectChange }) => ProjectChange),
    values: { limits: perLimit(({ name }) => limits[name].value) },
    rules: Object.fromEntries(rows.map(({ name }) => [`limits.${name}`, limitRule(limits[name].ceiling)])),
    async save(body) {
      await update.mutateAsync({ params: { projectId }, body })
      toast.success("Saved")
    },
  })

  return (
    <Card>
      <Form form={form}>
        <CardHeader
          title="Change limits"
          description="Lower them to limit the damage of a mistake. The operator sets the ceilings."
        />
        <CardBody>
          <FormRefusal form={form} />
          <div className="grid items-start gap-x-6 sm:grid-cols-2 xl:grid-cols-3">
            {rows.map(({ name, label, what }) => {
              const { ceiling } = limits[name]
              return (
                <div key={name} className="mb-4">
                  <Field
                    className="mb-0"
                    label={label}
                    error={form.faultOf(`limits.${name}`)}
                    hint={`${what} At most ${formatNumber(ceiling)}.`.trim()}
                  >
                    <Input
                      type="number"
                      inputMode="numeric"
                      min={1}
                      max={ceiling}
                      disabled={!mayEdit}
                      className="tabular-nums"
                      {...form.input(`limits.${name}`, { valueAsNumber: true })}
                    />
                  </Field>
                </div>
              )
            })}
          </div>
        </CardBody>
        {mayEdit ? <SaveFooter dirty={form.dirty} saving={form.saving} onReset={form.discard} /> : null}
      </Form>
    </Card>
  )
}

function perLimit<T>(of: (row: (typeof rows)[number]) => T): Record<LimitName, T> {
  return Object.fromEntries(rows.map((row) => [row.name, of(row)])) as Record<LimitName, T>
}

function limitRule(ceiling: number) {
  return (given: number) => {
    if (!Number.isInteger(given) || given < 1) return "Must be a whole number from 1."
    return given > ceiling ? `At most ${formatNumber(ceiling)}.` : undefined
  }
}

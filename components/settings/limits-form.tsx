"use client"

import { useFields } from "@/components/api/use-fields"
import { Card, CardBody, CardHeader } from "@/components/ui/card"
import { Field } from "@/components/ui/field"
import { FormErrorSummary } from "@/components/ui/form-error-summary"
import { Input } from "@/components/ui/input"
import { Progress } from "@/components/ui/progress"
import { toast } from "@/components/ui/toast"
import type { Api } from "@/lib/api/registry"
import { SaveFooter } from "@/components/settings/general-form"
import { useUpdateProject } from "@/components/settings/queries"

type Limits = Api["GET /v1/projects/{projectId}/settings"]["answer"]["limits"]
type LimitName = keyof Limits
type FieldName = `limits.${LimitName}`

const rows: { name: LimitName; label: string; what: string }[] = [
  { name: "perSecondSends", label: "Sends a second", what: "The rate at which mail leaves, over short peaks." },
  { name: "dailySends", label: "Sends a day", what: "Of the whole organization; the day ends at midnight UTC." },
  { name: "maxRecipientsPerMessage", label: "Recipients of one message", what: "To, cc and bcc together." },
  { name: "maxDomains", label: "Domains", what: "" },
  { name: "maxApiKeys", label: "API keys", what: "Active ones." },
  { name: "maxWebhooks", label: "Webhooks", what: "" },
]

/** The limits of the project, each up to the ceiling that the operator has set. */
export function LimitsForm({ projectId, limits, mayEdit }: { projectId: string; limits: Limits; mayEdit: boolean }) {
  const update = useUpdateProject()
  const initial = perLimit(({ name }) => String(limits[name].value))
  const form = useFields(
    initial,
    perLimit(
      ({ name }) =>
        (given: string) =>
          faultOf(given, limits[name].ceiling),
    ),
  )
  const submit = form.submit(async (values) => {
    const wanted = Object.fromEntries(rows.map(({ name }) => [name, Number(values[`limits.${name}`])])) as Record<
      LimitName,
      number
    >
    await update.mutateAsync({ params: { projectId }, body: { limits: wanted } })
    toast.success("Saved")
  })

  return (
    <Card>
      <form noValidate onSubmit={(event) => void submit(event)}>
        <CardHeader
          title="Limits"
          description="Lower them to limit the damage of a mistake. The operator sets the ceilings."
        />
        <CardBody>
          <FormErrorSummary faults={form.fault ? [{ message: form.fault }] : []} />
          <div className="grid items-start gap-x-6 sm:grid-cols-2 xl:grid-cols-3">
            {rows.map(({ name, label, what }) => {
              const { ceiling, used, value } = limits[name]
              return (
                <div key={name} className="mb-4">
                  <Field
                    className="mb-0"
                    label={label}
                    error={form.faultOf(`limits.${name}`)}
                    hint={`${what} At most ${ceiling.toLocaleString("en")}.`.trim()}
                  >
                    <Input
                      type="number"
                      inputMode="numeric"
                      min={1}
                      max={ceiling}
                      disabled={!mayEdit}
                      className="tabular-nums"
                      {...form.register(`limits.${name}`)}
                    />
                  </Field>
                  {used === undefined ? null : (
                    <div className="mt-2 flex items-center gap-3 text-sm text-muted tabular-nums">
                      <Progress
                        label={`${label} in use`}
                        value={used}
                        max={value}
                        tone={used >= value ? "warn" : "accent"}
                        className="max-w-40"
                      />
                      {used.toLocaleString("en")} of {value.toLocaleString("en")} in use
                    </div>
                  )}
                </div>
              )
            })}
          </div>
        </CardBody>
        {mayEdit ? <SaveFooter dirty={form.dirty} saving={form.saving} onReset={form.reset} /> : null}
      </form>
    </Card>
  )
}

function perLimit<T>(of: (row: (typeof rows)[number]) => T): Record<FieldName, T> {
  return Object.fromEntries(rows.map((row) => [`limits.${row.name}`, of(row)])) as Record<FieldName, T>
}

function faultOf(given: string, ceiling: number): string | undefined {
  if (!/^[1-9]\d*$/.test(given)) return "Must be a whole number from 1."
  return Number(given) > ceiling ? `At most ${ceiling.toLocaleString("en")}.` : undefined
}

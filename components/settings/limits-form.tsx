"use client"

import { formatNumber } from "@/lib/platform/format"
import { Form, FormRefusal } from "@/components/data/form"
import { usePageForm } from "@/components/late-parts/use-page-form"
import { Card, CardBody, CardHeader } from "@/components/ui/card"
import { Field } from "@/components/ui/field"
import { Input } from "@/components/ui/input"
import { toast } from "@/components/ui/toast"
import type { Api } from "@/lib/api/registry"
import { SaveFooter } from "@/components/settings/general-form"
import { useUpdateProject } from "@/components/settings/queries"

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

"use client"

import { useForm } from "react-hook-form"
import { applyProblem } from "@/components/api/problem"
import { Card, CardBody, CardHeader } from "@/components/ui/card"
import { Field } from "@/components/ui/field"
import { FormErrorSummary } from "@/components/ui/form-error-summary"
import { Input } from "@/components/ui/input"
import { Progress } from "@/components/ui/progress"
import { toast } from "@/components/ui/toast"
import type { Api } from "@/lib/api/registry"
import { SaveFooter } from "./general-form"
import { useUpdateProject } from "./queries"

type Limits = Api["GET /v1/projects/{projectId}/settings"]["answer"]["limits"]
type LimitName = keyof Limits
type Fields = { limits: Record<LimitName, number> }

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
  const values = Object.fromEntries(rows.map(({ name }) => [name, limits[name].value])) as Fields["limits"]
  const form = useForm<Fields>({ values: { limits: values } })
  const { errors, isDirty, isSubmitting } = form.formState

  async function submit(body: Fields) {
    try {
      await update.mutateAsync({ params: { projectId }, body })
      toast.success("Saved")
    } catch (error) {
      applyProblem(form, error)
    }
  }

  return (
    <Card>
      <form noValidate onSubmit={form.handleSubmit(submit)}>
        <CardHeader title="Limits" description="Lower them to be safe from a mistake. The ceilings are the operator's." />
        <CardBody>
          <FormErrorSummary faults={errors.root?.message ? [{ message: errors.root.message }] : []} />
          <div className="grid items-start gap-x-6 sm:grid-cols-2 xl:grid-cols-3">
            {rows.map(({ name, label, what }) => {
              const { ceiling, used, value } = limits[name]
              return (
                <div key={name} className="mb-4">
                  <Field
                    className="mb-0"
                    label={label}
                    error={errors.limits?.[name]?.message}
                    hint={`${what} At most ${ceiling.toLocaleString("en")}.`.trim()}
                  >
                    <Input
                      type="number"
                      inputMode="numeric"
                      min={1}
                      max={ceiling}
                      disabled={!mayEdit}
                      className="tabular-nums"
                      {...form.register(`limits.${name}`, {
                        valueAsNumber: true,
                        validate: (given) => (Number.isInteger(given) && given >= 1) || "Must be a whole number from 1.",
                        max: { value: ceiling, message: `At most ${ceiling.toLocaleString("en")}.` },
                      })}
                    />
                  </Field>
                  {used === undefined ? null : (
                    <div className="mt-2 flex items-center gap-3 text-sm text-muted tabular-nums">
                      <Progress label={`${label} in use`} value={used} max={value} tone={used >= value ? "warn" : "accent"} className="max-w-40" />
                      {used.toLocaleString("en")} of {value.toLocaleString("en")} in use
                    </div>
                  )}
                </div>
              )
            })}
          </div>
        </CardBody>
        {mayEdit ? <SaveFooter dirty={isDirty} saving={isSubmitting} onReset={() => form.reset()} /> : null}
      </form>
    </Card>
  )
}

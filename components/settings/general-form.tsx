"use client"

import { useRouter } from "next/navigation"
import { useForm } from "react-hook-form"
import { applyProblem } from "@/components/api/problem"
import { Button } from "@/components/ui/button"
import { Card, CardBody, CardFooter, CardHeader } from "@/components/ui/card"
import { Field } from "@/components/ui/field"
import { FormErrorSummary } from "@/components/ui/form-error-summary"
import { Input } from "@/components/ui/input"
import { toast } from "@/components/ui/toast"
import type { Api } from "@/lib/api/registry"
import { useUpdateProject } from "./queries"

export type ProjectWire = Api["GET /v1/projects/{projectId}"]["answer"]

/** Name and slug. */
export function GeneralForm({ project, mayEdit }: { project: ProjectWire; mayEdit: boolean }) {
  const router = useRouter()
  const update = useUpdateProject()
  const form = useForm({ values: { name: project.name, slug: project.slug } })
  const { errors, isDirty, isSubmitting } = form.formState

  async function submit(body: { name: string; slug: string }) {
    try {
      await update.mutateAsync({ params: { projectId: project.id }, body })
      toast.success("Saved")
      // The shell around the page shows the name too.
      router.refresh()
    } catch (error) {
      applyProblem(form, error)
    }
  }

  return (
    <Card>
      <form noValidate onSubmit={form.handleSubmit(submit)}>
        <CardHeader title="General" />
        <CardBody>
          <FormErrorSummary faults={errors.root?.message ? [{ message: errors.root.message }] : []} />
          <div className="grid items-start gap-x-4 sm:grid-cols-2">
            <Field label="Name" error={errors.name?.message}>
              <Input disabled={!mayEdit} maxLength={100} autoComplete="off" {...form.register("name", { validate: (name) => name.trim() !== "" || "Must not be empty." })} />
            </Field>
            <Field label="Slug" hint="Once in the organization." error={errors.slug?.message}>
              <Input
                mono
                disabled={!mayEdit}
                maxLength={50}
                autoComplete="off"
                spellCheck={false}
                {...form.register("slug", {
                  pattern: { value: /^[a-z0-9]+(?:-[a-z0-9]+)*$/, message: "Lower-case letters and digits, joined by single hyphens." },
                  required: "Must not be empty.",
                })}
              />
            </Field>
          </div>
        </CardBody>
        {mayEdit ? <SaveFooter dirty={isDirty} saving={isSubmitting} onReset={() => form.reset()} /> : null}
      </form>
    </Card>
  )
}

/** The row below a form: says that something waits to be saved. */
export function SaveFooter({ dirty, saving, onReset }: { dirty: boolean; saving: boolean; onReset: () => void }) {
  return (
    <CardFooter>
      <span className="text-muted" aria-live="polite">{dirty ? "Not saved yet." : ""}</span>
      <span className="flex gap-2">
        {dirty ? <Button onClick={onReset}>Undo</Button> : null}
        <Button type="submit" variant="primary" disabled={!dirty} loading={saving}>Save</Button>
      </span>
    </CardFooter>
  )
}

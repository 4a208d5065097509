"use client"

import { useRouter } from "next/navigation"
import { useFields } from "@/components/api/use-fields"
import { Button } from "@/components/ui/button"
import { Card, CardBody, CardFooter, CardHeader } from "@/components/ui/card"
import { Field } from "@/components/ui/field"
import { FormErrorSummary } from "@/components/ui/form-error-summary"
import { Input } from "@/components/ui/input"
import { toast } from "@/components/ui/toast"
import type { Api } from "@/lib/api/registry"
import { useUpdateProject } from "@/components/settings/queries"

export type ProjectWire = Api["GET /v1/projects/{projectId}"]["answer"]

/** Name and slug. */
export function GeneralForm({ project, mayEdit }: { project: ProjectWire; mayEdit: boolean }) {
  const router = useRouter()
  const update = useUpdateProject()
  const { name, slug } = project
  const form = useFields({ name, slug }, { name: nameFault, slug: slugFault })
  const submit = form.submit(async (body) => {
    await update.mutateAsync({ params: { projectId: project.id }, body })
    toast.success("Saved")
    // The shell around the page shows the name too.
    router.refresh()
  })

  return (
    <Card>
      <form noValidate onSubmit={(event) => void submit(event)}>
        <CardHeader title="General" />
        <CardBody>
          <FormErrorSummary faults={form.fault ? [{ message: form.fault }] : []} />
          <div className="grid items-start gap-x-4 sm:grid-cols-2">
            <Field label="Name" error={form.faultOf("name")}>
              <Input disabled={!mayEdit} maxLength={100} autoComplete="off" {...form.register("name")} />
            </Field>
            <Field label="Slug" hint="Once in the organization." error={form.faultOf("slug")}>
              <Input
                mono
                disabled={!mayEdit}
                maxLength={50}
                autoComplete="off"
                spellCheck={false}
                {...form.register("slug")}
              />
            </Field>
          </div>
        </CardBody>
        {mayEdit ? <SaveFooter dirty={form.dirty} saving={form.saving} onReset={form.reset} /> : null}
      </form>
    </Card>
  )
}

function nameFault(name: string) {
  return name.trim() === "" ? "Must not be empty." : undefined
}

function slugFault(slug: string) {
  if (slug === "") return "Must not be empty."
  return /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(slug)
    ? undefined
    : "Lower-case letters and digits, joined by single hyphens."
}

/** The row below a form: says that something waits to be saved. */
export function SaveFooter({ dirty, saving, onReset }: { dirty: boolean; saving: boolean; onReset: () => void }) {
  return (
    <CardFooter>
      <span className="text-muted" aria-live="polite">
        {dirty ? "Not saved yet." : ""}
      </span>
      <span className="flex gap-2">
        {dirty ? <Button onClick={onReset}>Undo</Button> : null}
        <Button type="submit" variant="primary" disabled={!dirty} loading={saving}>
          Save
        </Button>
      </span>
    </CardFooter>
  )
}

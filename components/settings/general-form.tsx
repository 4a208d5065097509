"use client"

import { useRouter } from "next/navigation"
import { Form, FormRefusal, filled } from "@/components/data/form"
import { usePageForm } from "@/components/late-parts/use-page-form"
import { Button } from "@/components/ui/button"
import { Card, CardBody, CardFooter, CardHeader } from "@/components/ui/card"
import { Field } from "@/components/ui/field"
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
  const form = usePageForm({
    schema: () => import("@/lib/projects/schema").then(({ ProjectChange }) => ProjectChange),
    values: { name, slug },
    rules: { slug: filled() },
    async save(body) {
      await update.mutateAsync({ params: { projectId: project.id }, body })
      toast.success("Saved")
      // The shell around the page shows the name too.
      router.refresh()
    },
  })

  return (
    <Card>
      <Form form={form}>
        <CardHeader title="General" />
        <CardBody>
          <FormRefusal form={form} />
          <div className="grid items-start gap-x-4 sm:grid-cols-2">
            <Field label="Name" error={form.faultOf("name")}>
              <Input disabled={!mayEdit} maxLength={100} autoComplete="off" {...form.input("name")} />
            </Field>
            <Field label="Slug" hint="Unique within the organization." error={form.faultOf("slug")}>
              <Input
                mono
                disabled={!mayEdit}
                maxLength={50}
                autoComplete="off"
                spellCheck={false}
                {...form.input("slug")}
              />
            </Field>
          </div>
        </CardBody>
        {mayEdit ? <SaveFooter dirty={form.dirty} saving={form.saving} onReset={form.discard} /> : null}
      </Form>
    </Card>
  )
}

/** The row below a form: says that there are unsaved changes. */
export function SaveFooter({ dirty, saving, onReset }: { dirty: boolean; saving: boolean; onReset: () => void }) {
  return (
    <CardFooter>
      <span className="text-muted" aria-live="polite">
        {dirty ? "Not saved yet." : ""}
      </span>
      <span className="flex flex-row-reverse gap-2">
        <Button type="submit" variant="primary" disabled={!dirty} loading={saving}>
          Save
        </Button>
        {dirty ? <Button onClick={onReset}>Undo</Button> : null}
      </span>
    </CardFooter>
  )
}

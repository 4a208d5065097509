"use client"

import { Form, FormRefusal, filled, trimmed } from "@/components/data/form"
import { FormFooter } from "@/components/data/add-dialog"
import { useApiForm } from "@/components/data/use-api-form"
import { useCreateTemplate } from "@/components/templates/changes"
import { Field } from "@/components/ui/field"
import { Input, Textarea } from "@/components/ui/input"
import { useGoOn } from "@/components/ui/leaving"

export default function AddTemplateForm({ projectId }: { projectId: string }) {
  const goOn = useGoOn()
  const create = useCreateTemplate()
  const form = useApiForm({
    schema: () => import("@/lib/emails/templates/schema").then(({ NewTemplate }) => NewTemplate),
    defaultValues: { name: "", subject: "", html: "<p>Hello {{contact.firstName | there}},</p>\n" },
    rules: { name: filled("Enter a name."), subject: filled("Enter a subject.") },
    refusals: { "template.already_exists": { field: "name" } },
    leaves: true,
    async save(body) {
      const { id } = await create.mutateAsync({ params: { projectId }, body })
      goOn(`/projects/${projectId}/templates/${id}`)
    },
  })

  return (
    <Form form={form}>
      <FormRefusal form={form} title="The template was not created." />
      <Field label="Name" error={form.faultOf("name")} hint="Requests can name the template by it.">
        <Input autoFocus autoComplete="off" maxLength={100} placeholder="welcome" {...form.input("name", trimmed)} />
      </Field>
      <Field label="Subject" error={form.faultOf("subject")}>
        <Input autoComplete="off" maxLength={998} placeholder="Welcome to Acme" {...form.input("subject", trimmed)} />
      </Field>
      <Field label="HTML" error={form.faultOf("html")} hint="You can paste what React Email or MJML made.">
        <Textarea mono rows={5} spellCheck={false} {...form.input("html")} />
      </Field>
      <FormFooter action="Create template" saving={form.saving} />
    </Form>
  )
}

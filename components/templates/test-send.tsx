"use client"

import { Form, FormRefusal, filled, trimmed } from "@/components/data/form"
import { FormFooter } from "@/components/data/add-dialog"
import { useApiForm } from "@/components/data/use-api-form"
import { useCall } from "@/components/data/use-call"
import type { Template } from "@/components/templates/queries"
import { sampleOf } from "@/components/templates/words"
import { Field } from "@/components/ui/field"
import { Input } from "@/components/ui/input"
import { toast } from "@/components/ui/toast"

type TestSendProps = { projectId: string; template: Template; onDone: () => void }

/** Sends the published version to one address, with sample values. */
export default function TestSend({ projectId, template, onDone }: TestSendProps) {
  const send = useCall("POST /v1/emails", ["GET /v1/projects/{projectId}/emails"])
  const form = useApiForm({
    defaultValues: { from: "", to: "" },
    rules: { from: filled("Enter a sender."), to: filled("Enter an address.") },
    refusals: { "email.from_domain_not_verified": { field: "from" } },
    async save({ from, to }) {
      const variables = Object.fromEntries(template.variables.map((one) => [one.name, sampleOf(one)]))
      await send.mutateAsync({
        query: { projectId },
        body: { from, to: [to], subject: "", template: { id: template.id, variables } },
      })
      toast.success(`Sent to ${to}`)
      onDone()
    },
  })
  return (
    <Form form={form}>
      <p className="mb-4 text-muted">
        {template.version > 0
          ? `Version ${template.version}, with fallbacks and sample values.`
          : "Publish the template first: emails use what was published."}
      </p>
      <FormRefusal form={form} title="The test was not sent." />
      <Field label="From" error={form.faultOf("from")} hint="An address on a verified domain.">
        <Input autoFocus autoComplete="off" placeholder="hello@acme.com" {...form.input("from", trimmed)} />
      </Field>
      <Field label="To" error={form.faultOf("to")}>
        <Input type="email" autoComplete="email" {...form.input("to", trimmed)} />
      </Field>
      <FormFooter action="Send test" saving={form.saving} />
    </Form>
  )
}

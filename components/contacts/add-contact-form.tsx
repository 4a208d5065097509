"use client"

import { Form, FormRefusal, filled, trimmed } from "@/components/data/form"
import { FormFooter } from "@/components/data/add-dialog"
import { useApiForm } from "@/components/data/use-api-form"
import { Field } from "@/components/ui/field"
import { Input } from "@/components/ui/input"
import { useGoOn } from "@/components/ui/leaving"
import { askedFields, contactFields, type ContactField } from "@/lib/contacts/rules"
import { useCreateContact } from "@/components/contacts/queries"

const empty: { email: string } & Partial<Record<ContactField, string>> = {
  email: "",
  ...Object.fromEntries(askedFields.map((name) => [name, ""])),
}

export default function AddContactForm({ projectId }: { projectId: string }) {
  const goOn = useGoOn()
  const create = useCreateContact()
  const form = useApiForm({
    schema: () => import("@/lib/contacts/schema").then(({ NewContact }) => NewContact),
    defaultValues: empty,
    rules: { email: filled("Enter an email address.") },
    refusals: { "contact.already_exists": { field: "email" } },
    leaves: true,
    async save(body) {
      const { id } = await create.mutateAsync({ params: { projectId }, body })
      goOn(`/projects/${projectId}/contacts/${id}`)
    },
  })

  return (
    <Form form={form}>
      <FormRefusal form={form} title="The contact was not added." />
      <Field label="Email address" error={form.faultOf("email")} hint="It cannot be changed later.">
        <Input
          autoFocus
          type="email"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          placeholder="ada@example.com"
          {...form.input("email", trimmed)}
        />
      </Field>
      <div className="grid items-start gap-x-4 sm:grid-cols-2">
        {askedFields.map((name) => (
          <Field key={name} label={contactFields[name].label} optional error={form.faultOf(name)}>
            <Input autoComplete="off" maxLength={contactFields[name].charsMax} {...form.input(name, trimmed)} />
          </Field>
        ))}
      </div>
      <FormFooter action="Add contact" saving={form.saving} />
    </Form>
  )
}

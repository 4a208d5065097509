"use client"

import { useRole } from "@/components/access/powers"
import { Form, FormRefusal, filled } from "@/components/data/form"
import { FormFooter } from "@/components/data/add-dialog"
import { useApiForm } from "@/components/data/use-api-form"
import { Field } from "@/components/ui/field"
import { Input } from "@/components/ui/input"
import { RadioCards } from "@/components/ui/radio-cards"
import { toast } from "@/components/ui/toast"
import { grantableRoles, roleWords } from "@/lib/access/rules"
import { useInvite } from "@/components/settings/queries"

export type Unsent = { email: string; url: string }

type InviteFormProps = { projectId: string; onUnsent: (unsent: Unsent) => void; onSent: () => void }

export default function InviteForm({ projectId, onUnsent, onSent }: InviteFormProps) {
  const invite = useInvite()
  const roles = grantableRoles(useRole())
  const form = useApiForm({
    schema: () => import("@/lib/access/people/schema").then(({ NewInvite }) => NewInvite),
    defaultValues: { email: "", role: "developer" },
    rules: { email: filled("Enter an email address.") },
    async save(body) {
      const { email, url } = await invite.mutateAsync({ params: { projectId }, body })
      if (url) return onUnsent({ email, url })
      onSent()
      toast.success(`${email} is invited`, { description: "The invite is on its way by email." })
    },
  })

  return (
    <Form form={form}>
      <FormRefusal form={form} title="The invite was not sent." />
      <Field label="Email address" error={form.faultOf("email")}>
        <Input type="email" autoComplete="off" autoFocus {...form.input("email")} />
      </Field>
      <RadioCards
        legend="Role"
        options={roles.map((value) => ({
          value,
          label: <span className="capitalize">{value}</span>,
          hint: roleWords[value],
        }))}
        {...form.register("role")}
      />
      <FormFooter action="Send invite" saving={form.saving} />
    </Form>
  )
}

"use client"

import { useForm } from "react-hook-form"
import { useRole } from "@/components/access/powers"
import { applyProblem } from "@/components/api/problem"
import { Button } from "@/components/ui/button"
import { DialogClose, DialogFooter } from "@/components/ui/dialog"
import { Field } from "@/components/ui/field"
import { FormErrorSummary } from "@/components/ui/form-error-summary"
import { Input } from "@/components/ui/input"
import { RadioCards } from "@/components/ui/radio-cards"
import { toast } from "@/components/ui/toast"
import type { InviteWire } from "@/lib/access/people/members-schema"
import { grantableRoles, roleWords } from "@/lib/access/rules"
import { useInvite } from "@/components/settings/members-queries"
import type { Unsent } from "@/components/settings/members-invite"

type Fields = Pick<InviteWire, "email" | "role">
type InviteFormProps = { projectId: string; onUnsent: (unsent: Unsent) => void; onSent: () => void }

export default function InviteForm({ projectId, onUnsent, onSent }: InviteFormProps) {
  const invite = useInvite()
  const form = useForm<Fields>({ defaultValues: { email: "", role: "developer" } })
  const { errors, isSubmitting } = form.formState
  const roles = grantableRoles(useRole())

  async function submit(body: Fields) {
    try {
      const { email, url } = await invite.mutateAsync({ params: { projectId }, body })
      if (url) return onUnsent({ email, url })
      onSent()
      toast.success(`${email} is invited`, { description: "The invite is on its way by email." })
    } catch (error) {
      applyProblem(form, error)
    }
  }

  return (
    <form method="post" noValidate onSubmit={form.handleSubmit(submit)}>
      <FormErrorSummary
        title="The invite was not sent."
        faults={errors.root?.message ? [{ message: errors.root.message }] : []}
      />
      <Field label="Email address" error={errors.email?.message}>
        <Input
          type="email"
          autoComplete="off"
          autoFocus
          {...form.register("email", { required: "Enter their address." })}
        />
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
      <DialogFooter>
        <DialogClose>
          <Button>Cancel</Button>
        </DialogClose>
        <Button type="submit" variant="primary" loading={isSubmitting}>
          Send invite
        </Button>
      </DialogFooter>
    </form>
  )
}

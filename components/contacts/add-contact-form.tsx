"use client"

import { useRouter } from "next/navigation"
import { useForm } from "react-hook-form"
import { applyProblem, problemOf } from "@/components/api/problem"
import { Button } from "@/components/ui/button"
import { DialogClose, DialogFooter } from "@/components/ui/dialog"
import { Field } from "@/components/ui/field"
import { FormErrorSummary } from "@/components/ui/form-error-summary"
import { Input } from "@/components/ui/input"
import { contactFields } from "@/lib/contacts/field-rules"
import { useCreateContact } from "@/components/contacts/queries"

type Fields = { email: string; firstName: string; lastName: string }

export default function AddContactForm({ projectId }: { projectId: string }) {
  const router = useRouter()
  const create = useCreateContact()
  const form = useForm<Fields>({ defaultValues: { email: "", firstName: "", lastName: "" } })
  const { errors } = form.formState

  async function submit(body: Fields) {
    try {
      const { id } = await create.mutateAsync({ params: { projectId }, body })
      router.push(`/projects/${projectId}/contacts/${id}`)
    } catch (error) {
      const { code, detail, title } = problemOf(error)
      if (code === "contact.already_exists") form.setError("email", { message: detail ?? title }, { shouldFocus: true })
      else applyProblem(form, error)
    }
  }

  const trimmed = { setValueAs: (text: string) => text.trim() }
  return (
    <form noValidate onSubmit={form.handleSubmit(submit)}>
      <FormErrorSummary
        title="The contact was not added."
        faults={errors.root?.message ? [{ message: errors.root.message }] : []}
      />
      <Field label="Email address" error={errors.email?.message} hint="It cannot be changed later.">
        <Input
          autoFocus
          type="email"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          placeholder="ada@example.com"
          {...form.register("email", { ...trimmed, validate: (email) => email !== "" || "Give the address." })}
        />
      </Field>
      <div className="grid items-start gap-x-4 sm:grid-cols-2">
        <Field label="First name" optional error={errors.firstName?.message}>
          <Input
            autoComplete="off"
            maxLength={contactFields.firstName.charsMax}
            {...form.register("firstName", trimmed)}
          />
        </Field>
        <Field label="Last name" optional error={errors.lastName?.message}>
          <Input
            autoComplete="off"
            maxLength={contactFields.lastName.charsMax}
            {...form.register("lastName", trimmed)}
          />
        </Field>
      </div>
      <DialogFooter>
        <DialogClose>
          <Button>Cancel</Button>
        </DialogClose>
        <Button type="submit" variant="primary" loading={form.formState.isSubmitting}>
          Add contact
        </Button>
      </DialogFooter>
    </form>
  )
}

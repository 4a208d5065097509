"use client"

import { useState } from "react"
import { useForm } from "react-hook-form"
import { call } from "@/components/api/call"
import { applyProblem } from "@/components/api/problem"
import { Button } from "@/components/ui/button"
import { Field } from "@/components/ui/field"
import { FormErrorSummary } from "@/components/ui/form-error-summary"
import { Input } from "@/components/ui/input"

type LinkRequestProps = { email: string; wanted: string; onBack: () => void }

/** Requests a sign-in link by email that leads to the wanted page. The confirmation is the same for every address. */
export function LinkRequest({ email, wanted, onBack }: LinkRequestProps) {
  const form = useForm<{ email: string }>({ defaultValues: { email } })
  const { errors, isSubmitting } = form.formState
  const [asked, setAsked] = useState<string>()

  async function submit(fields: { email: string }) {
    try {
      await call("POST /v1/session/links", { body: { ...fields, wanted } })
      setAsked(fields.email.trim())
    } catch (error) {
      applyProblem(form, error)
    }
  }

  if (asked) {
    return (
      <div role="status">
        <p className="font-medium">Check your email</p>
        <p className="mt-1 [overflow-wrap:anywhere] text-muted">
          If {asked} has an account here or an invite, a link is on its way there. It works once, within 15 minutes.
        </p>
        <Button className="mt-5 w-full" size="large" onClick={onBack}>
          Back
        </Button>
      </div>
    )
  }
  return (
    <form method="post" noValidate onSubmit={form.handleSubmit(submit)}>
      <FormErrorSummary
        title="No link was sent."
        faults={errors.root?.message ? [{ message: errors.root.message }] : []}
      />
      <Field label="Email address" error={errors.email?.message}>
        <Input
          type="email"
          autoComplete="username"
          autoFocus
          {...form.register("email", { required: "Enter your address." })}
        />
      </Field>
      <Button type="submit" variant="primary" size="large" className="w-full" loading={isSubmitting}>
        Email me a link
      </Button>
      <Button variant="ghost" className="mt-2 w-full" onClick={onBack}>
        Use a password instead
      </Button>
    </form>
  )
}

"use client"

import { useState } from "react"
import { useForm } from "react-hook-form"
import { call } from "@/components/api/call"
import { applyProblem } from "@/components/api/problem"
import { Button } from "@/components/ui/button"
import { Field } from "@/components/ui/field"
import { FormErrorSummary } from "@/components/ui/form-error-summary"
import { Input } from "@/components/ui/input"
import { passwordLength } from "@/lib/access/rules"
import { go, signIn } from "@/components/access/sign-in"

type Fields = { name: string; password: string }

/** Creates the account of the invited address, and signs in. */
export function AcceptInviteForm({ token, email }: { token: string; email: string }) {
  const form = useForm<Fields>({ defaultValues: { name: "", password: "" } })
  const { errors } = form.formState
  const [busy, setBusy] = useState(false)
  const { min, max } = passwordLength

  async function submit(fields: Fields) {
    setBusy(true)
    try {
      await call("POST /v1/invites/accept", { body: { token, ...fields } })
    } catch (error) {
      setBusy(false)
      return applyProblem(form, error)
    }
    // The account exists now: if signing in fails, its page is where to go on.
    await signIn("password", { email, password: fields.password }).catch(() => go("/sign-in"))
  }

  return (
    <form method="post" noValidate onSubmit={form.handleSubmit(submit)}>
      <FormErrorSummary
        title="You have not joined."
        faults={errors.root?.message ? [{ message: errors.root.message }] : []}
      />
      <Field label="Email address" hint="The invite is for this address only.">
        <Input type="email" autoComplete="username" value={email} readOnly />
      </Field>
      <Field label="Your name" error={errors.name?.message}>
        <Input
          autoComplete="name"
          autoFocus
          {...form.register("name", {
            required: "Must not be empty.",
            maxLength: { value: 100, message: "At most 100 characters." },
          })}
        />
      </Field>
      <Field label="Password" hint={`At least ${min} characters.`} error={errors.password?.message}>
        <Input
          type="password"
          autoComplete="new-password"
          {...form.register("password", {
            required: "Must not be empty.",
            minLength: { value: min, message: `Must have at least ${min} characters.` },
            maxLength: { value: max, message: `Must have at most ${max} characters.` },
          })}
        />
      </Field>
      <Button type="submit" variant="primary" size="large" className="w-full" loading={busy}>
        Create account and join
      </Button>
    </form>
  )
}

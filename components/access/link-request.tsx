"use client"

import { useState } from "react"
import { call } from "@/components/data/call"
import { Form, FormRefusal } from "@/components/data/form"
import { filled } from "@/components/data/form-rules"
import { useApiForm } from "@/components/data/use-api-form"
import { Button } from "@/components/ui/button"
import { Field } from "@/components/ui/field"
import { Input } from "@/components/ui/input"

type LinkRequestProps = { email: string; wanted: string; onBack: () => void }

/** Requests a sign-in link by email that leads to the wanted page. The confirmation is the same for every address. */
export function LinkRequest({ email, wanted, onBack }: LinkRequestProps) {
  const form = useApiForm({
    schema: () =>
      import("@/lib/access/credentials/schema").then(({ SignInLinkRequest }) =>
        SignInLinkRequest.omit({ wanted: true }),
      ),
    defaultValues: { email },
    rules: { email: filled("Enter your address.") },
    async save(body) {
      await call("POST /v1/session/links", { body: { ...body, wanted } })
      setAsked(body.email.trim())
    },
  })
  const [asked, setAsked] = useState<string>()

  if (asked) {
    return (
      <div role="status">
        <p className="font-medium">Check your email</p>
        <p className="mt-1 [overflow-wrap:anywhere] text-muted">
          If {asked} has an account or an invite here, a link is on its way. It works once, within 15 minutes.
        </p>
        <Button className="mt-5 w-full" size="large" onClick={onBack}>
          Back
        </Button>
      </div>
    )
  }
  return (
    <Form form={form}>
      <FormRefusal form={form} title="No link was sent." />
      <Field label="Email address" error={form.faultOf("email")}>
        <Input type="email" autoComplete="username" autoFocus {...form.input("email")} />
      </Field>
      <Button type="submit" variant="primary" size="large" className="w-full" loading={form.saving}>
        Email me a link
      </Button>
      <Button variant="ghost" className="mt-2 w-full" onClick={onBack}>
        Use a password instead
      </Button>
    </Form>
  )
}

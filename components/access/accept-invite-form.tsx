"use client"

import { call } from "@/components/data/call"
import { Form, FormRefusal } from "@/components/data/form"
import { filled } from "@/components/data/form-rules"
import { useApiForm } from "@/components/data/use-api-form"
import { Button } from "@/components/ui/button"
import { Field } from "@/components/ui/field"
import { Input } from "@/components/ui/input"
import { passwordLength } from "@/lib/access/rules"
import { go, signIn } from "@/components/access/sign-in"

/** Creates the account of the invited address, and signs in. */
export function AcceptInviteForm({ token, email }: { token: string; email: string }) {
  const form = useApiForm({
    schema: () =>
      import("@/lib/access/people/members-schema").then(({ AcceptInvite }) => AcceptInvite.omit({ token: true })),
    defaultValues: { name: "", password: "" },
    rules: { name: filled(), password: filled() },
    leaves: true,
    async save(body) {
      await call("POST /v1/invites/accept", { body: { token, ...body } })
      // The account exists now: if signing in fails, its page is where to go on.
      await signIn("password", { email, password: body.password }).catch(() => go("/sign-in"))
    },
  })

  return (
    <Form form={form}>
      <FormRefusal form={form} title="You have not joined." />
      <Field label="Email address" hint="The invite is for this address only.">
        <Input type="email" autoComplete="username" value={email} readOnly />
      </Field>
      <Field label="Your name" error={form.faultOf("name")}>
        <Input autoComplete="name" autoFocus {...form.input("name")} />
      </Field>
      <Field label="Password" hint={`At least ${passwordLength.min} characters.`} error={form.faultOf("password")}>
        <Input type="password" autoComplete="new-password" {...form.input("password")} />
      </Field>
      <Button type="submit" variant="primary" size="large" className="w-full" loading={form.saving}>
        Create account and join
      </Button>
    </Form>
  )
}

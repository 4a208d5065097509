"use client"

import { useState } from "react"
import { useForm } from "react-hook-form"
import { problemOf } from "@/components/api/problem"
import { Button } from "@/components/ui/button"
import { Field } from "@/components/ui/field"
import { FormErrorSummary } from "@/components/ui/form-error-summary"
import { Input } from "@/components/ui/input"
import { LinkRequest } from "@/components/access/link-request"
import { signIn } from "@/components/access/sign-in"

type Fields = { email: string; password: string }

type SignInFormProps = {
  wanted: string
  /** The installation can send system email, so a link can be requested. */
  links: boolean
  /** The account, on the page of an invite. */
  email?: string
}

export function SignInForm({ wanted, links, email = "" }: SignInFormProps) {
  const [byLink, setByLink] = useState(false)
  const form = useForm<Fields>({ defaultValues: { email, password: "" } })
  const { errors } = form.formState
  const [refusal, setRefusal] = useState<Refusal>()
  const [busy, setBusy] = useState(false)

  async function submit(fields: Fields) {
    setRefusal(undefined)
    setBusy(true)
    try {
      // Busy until the next page has loaded.
      await signIn("password", fields, wanted)
    } catch (error) {
      setBusy(false)
      setRefusal(refusalOf(error))
      form.setValue("password", "")
    }
  }

  if (byLink) return <LinkRequest email={form.getValues("email")} wanted={wanted} onBack={() => setByLink(false)} />
  return (
    <form method="post" noValidate onSubmit={form.handleSubmit(submit)}>
      <FormErrorSummary title={refusal?.title} faults={refusal ? [refusal] : []} />
      <Field label="Email address" error={errors.email?.message}>
        <Input
          type="email"
          autoComplete="username"
          autoFocus={!email}
          {...form.register("email", { required: "Enter your address." })}
        />
      </Field>
      <Field label="Password" error={errors.password?.message}>
        <Input
          type="password"
          autoComplete="current-password"
          {...form.register("password", { required: "Enter your password." })}
        />
      </Field>
      <Button type="submit" variant="primary" size="large" className="w-full" loading={busy}>
        Sign in
      </Button>
      {links ? (
        <Button variant="ghost" className="mt-2 w-full" onClick={() => setByLink(true)}>
          Email me a sign-in link
        </Button>
      ) : null}
    </form>
  )
}

type Refusal = { title: string; message: string }

function refusalOf(error: unknown): Refusal {
  const { code, detail, title } = problemOf(error)
  if (code !== "auth.sign_in_refused") return { title: "Sign-in failed", message: detail ?? title }
  return { title: "Incorrect email or password", message: "After too many failed attempts, wait 15 minutes." }
}

"use client"

import { useState } from "react"
import { PasskeyButton } from "@/components/access/passkey-button"
import { go, signIn } from "@/components/access/sign-in"
import { problemOf } from "@/components/data/call"
import { Form } from "@/components/data/form"
import { filled } from "@/components/data/form-rules"
import { useApiForm } from "@/components/data/use-api-form"
import { Button } from "@/components/ui/button"
import { Field } from "@/components/ui/field"
import { FormErrorSummary } from "@/components/ui/form-error-summary"
import { Input } from "@/components/ui/input"

/** True for the answer to a first step after which the second one is to be shown. */
export function wantsSecondStep(error: unknown): boolean {
  return problemOf(error).code === "auth.second_step_required"
}

/** After an identity provider, which comes back to a page of its own. */
export function SecondStepPage({ wanted }: { wanted: string }) {
  return <SecondStep wanted={wanted} onBack={() => go("/sign-in")} />
}

/** Asks for a code of the authenticator app, or for a recovery code, and finishes signing in. */
export function SecondStep({ wanted, onBack }: { wanted: string; onBack: () => void }) {
  const [refusal, setRefusal] = useState<{ title: string; message: string }>()
  const [leaving, setLeaving] = useState(false)
  const form = useApiForm({
    defaultValues: { code: "" },
    rules: { code: filled("Enter a code.") },
    async save(fields) {
      setRefusal(undefined)
      try {
        await signIn("second-step", fields, wanted)
        setLeaving(true)
      } catch (error) {
        const { title, detail } = problemOf(error)
        setRefusal({ title, message: detail ?? "Try again." })
        form.setValue("code", "")
      }
    },
  })

  return (
    <Form form={form}>
      <FormErrorSummary title={refusal?.title} faults={refusal ? [refusal] : []} />
      <Field
        label="Code"
        hint="From your authenticator app. If you have lost it, enter one of your recovery codes."
        error={form.faultOf("code")}
      >
        <Input mono autoComplete="one-time-code" autoFocus spellCheck={false} maxLength={100} {...form.input("code")} />
      </Field>
      <Button type="submit" variant="primary" size="large" className="w-full" loading={form.saving || leaving}>
        Sign in
      </Button>
      <PasskeyButton wanted={wanted} className="mt-2 w-full" onRefused={setRefusal} />
      <Button variant="ghost" className="mt-2 w-full" onClick={onBack}>
        Start again
      </Button>
    </Form>
  )
}

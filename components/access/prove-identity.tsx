"use client"

import { useQuery } from "@tanstack/react-query"
import { usePathname } from "next/navigation"
import { signOut } from "@/components/access/sign-in"
import { Form, FormRefusal, filled } from "@/components/data/form"
import { FormFooter } from "@/components/data/add-dialog"
import { query } from "@/components/data/query"
import { useApiForm } from "@/components/data/use-api-form"
import { useCall } from "@/components/data/use-call"
import { Button } from "@/components/ui/button"
import { DialogClose, DialogFooter } from "@/components/ui/dialog"
import { Field } from "@/components/ui/field"
import { Input } from "@/components/ui/input"

/** Asks for the password, or to sign in again where there is none. */
export default function ProveIdentity({ onConfirmed }: { onConfirmed: () => void }) {
  const { data: session } = useQuery(query("GET /v1/session", {}))
  if (session && !session.hasPassword) return <SignInAgain />
  return <PasswordAgain email={session?.user.email ?? ""} onConfirmed={onConfirmed} />
}

function PasswordAgain({ email, onConfirmed }: { email: string; onConfirmed: () => void }) {
  const confirm = useCall("POST /v1/session/confirm")
  const form = useApiForm({
    schema: () => import("@/lib/access/credentials/schema").then(({ SessionConfirmation }) => SessionConfirmation),
    defaultValues: { password: "" },
    rules: { password: filled("Enter your password.") },
    async save(body) {
      try {
        await confirm.mutateAsync({ body })
      } catch (error) {
        form.setValue("password", "")
        throw error
      }
      onConfirmed()
    },
  })

  return (
    <Form form={form}>
      <FormRefusal form={form} title="Your identity was not confirmed" />
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      <Field label="Your password" error={form.faultOf("password")}>
        <Input type="password" autoComplete="current-password" {...form.input("password")} />
      </Field>
      <FormFooter action="Confirm" saving={form.saving} />
    </Form>
  )
}

/** Who has no password proves it as they came: by a link or an identity provider. */
function SignInAgain() {
  const path = usePathname()
  return (
    <>
      <p className="text-muted">
        You have no password. Sign in again the way you did before; you will return to this page.
      </p>
      <DialogFooter>
        <Button variant="primary" onClick={() => void signOut(path)}>
          Sign in again
        </Button>
        <DialogClose>
          <Button>Cancel</Button>
        </DialogClose>
      </DialogFooter>
    </>
  )
}

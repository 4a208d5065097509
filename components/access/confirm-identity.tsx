"use client"

import { useQuery } from "@tanstack/react-query"
import { usePathname } from "next/navigation"
import { useState, type ReactNode } from "react"
import { Form, FormRefusal } from "@/components/data/form"
import { filled } from "@/components/data/form-rules"
import { useApiForm } from "@/components/data/use-api-form"
import { problemOf } from "@/components/data/call"
import { query } from "@/components/data/query"
import { useCall } from "@/components/data/use-call"
import { Button } from "@/components/ui/button"
import { Dialog, DialogClose, DialogFooter } from "@/components/ui/dialog"
import { Field } from "@/components/ui/field"
import { Input } from "@/components/ui/input"
import { signOut } from "@/components/access/sign-in"

/**
 * For calls that need a fresh proof of who one is: hand the error of a refused call to `ask` with what to do once it is
 * given, and draw `dialog` outside of any form. False when the error is another one.
 */
export function useConfirmation(): { ask: (error: unknown, retry: () => void) => boolean; dialog: ReactNode } {
  const [waiting, setWaiting] = useState<{ retry: () => void }>()

  function ask(error: unknown, retry: () => void): boolean {
    if (problemOf(error).code !== "auth.confirmation_required") return false
    setWaiting({ retry })
    return true
  }
  function confirmed() {
    setWaiting(undefined)
    waiting?.retry()
  }

  const dialog = (
    <Dialog
      open={waiting !== undefined}
      onOpenChange={(open) => (open ? undefined : setWaiting(undefined))}
      size="small"
      title="Confirm your identity"
      description="You signed in a while ago. Enter your password to continue."
    >
      <Confirm onConfirmed={confirmed} />
    </Dialog>
  )
  return { ask, dialog }
}

function Confirm({ onConfirmed }: { onConfirmed: () => void }) {
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
      <DialogFooter>
        <Button type="submit" variant="primary" loading={form.saving}>
          Confirm
        </Button>
        <DialogClose>
          <Button>Cancel</Button>
        </DialogClose>
      </DialogFooter>
    </Form>
  )
}

/** Who has no password proves it as they came: by a link, GitHub or Google. */
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

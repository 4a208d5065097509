"use client"

import { useFields } from "@/components/api/use-fields"
import { Button } from "@/components/ui/button"
import { Card, CardBody, CardFooter, CardHeader } from "@/components/ui/card"
import { Field } from "@/components/ui/field"
import { FormErrorSummary } from "@/components/ui/form-error-summary"
import { Input } from "@/components/ui/input"
import { toast } from "@/components/ui/toast"
import { passwordLength } from "@/lib/access/rules"
import { useChangePassword } from "@/components/settings/queries"

const { min, max } = passwordLength

export function PasswordForm({ currentNeeded, email }: { currentNeeded: boolean; email: string }) {
  const change = useChangePassword()
  const rules = { currentPassword: currentNeeded ? currentFault : undefined, newPassword: newFault }
  const form = useFields({ currentPassword: "", newPassword: "" }, rules)
  const submit = form.submit(async ({ currentPassword, newPassword }) => {
    await change.mutateAsync({ body: { newPassword, ...(currentNeeded && { currentPassword }) } })
    toast.success("Your password is changed", { description: "Every other browser is signed out." })
  })

  return (
    <Card>
      <form method="post" noValidate onSubmit={(event) => void submit(event)}>
        <CardHeader
          title="Password"
          description="Changing it signs you out everywhere else and invalidates your sign-in links."
        />
        <CardBody>
          <FormErrorSummary
            title="The password was not changed."
            faults={form.fault ? [{ message: form.fault }] : []}
          />
          <input type="text" name="username" autoComplete="username" defaultValue={email} readOnly hidden />
          <div className="grid items-start gap-x-4 sm:grid-cols-2">
            {currentNeeded ? (
              <Field label="Current password" error={form.faultOf("currentPassword")} className="last:mb-4">
                <Input type="password" autoComplete="current-password" {...form.register("currentPassword")} />
              </Field>
            ) : null}
            <Field label="New password" hint={`At least ${min} characters.`} error={form.faultOf("newPassword")}>
              <Input type="password" autoComplete="new-password" {...form.register("newPassword")} />
            </Field>
          </div>
        </CardBody>
        <CardFooter>
          <span className="text-muted">
            {currentNeeded ? "" : "You have just signed in without a password, so you need not enter the old one."}
          </span>
          <Button type="submit" variant="primary" loading={form.saving}>
            Change password
          </Button>
        </CardFooter>
      </form>
    </Card>
  )
}

function currentFault(given: string) {
  return given === "" ? "Enter your current password." : undefined
}

function newFault(given: string) {
  if (given === "") return "Enter a new password."
  if (given.length < min) return `Must have at least ${min} characters.`
  return given.length > max ? `Must have at most ${max} characters.` : undefined
}

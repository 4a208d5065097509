"use client"

import { Form, FormRefusal } from "@/components/data/form"
import { filled } from "@/components/data/form-rules"
import { usePageForm } from "@/components/data/use-page-form"
import { Button } from "@/components/ui/button"
import { Card, CardBody, CardFooter, CardHeader } from "@/components/ui/card"
import { Field } from "@/components/ui/field"
import { Input } from "@/components/ui/input"
import { toast } from "@/components/ui/toast"
import { passwordLength } from "@/lib/access/rules"
import { useChangePassword } from "@/components/settings/queries"

export function PasswordForm({ currentNeeded, email }: { currentNeeded: boolean; email: string }) {
  const change = useChangePassword()
  const form = usePageForm({
    schema: () => import("@/lib/access/credentials/schema").then(({ PasswordChange }) => PasswordChange),
    values: { currentPassword: "", newPassword: "" },
    rules: { currentPassword: filled("Enter your current password."), newPassword: filled("Enter a new password.") },
    async save({ currentPassword, newPassword }) {
      await change.mutateAsync({ body: { newPassword, ...(currentNeeded && { currentPassword }) } })
      toast.success("Your password is changed", { description: "Every other browser is signed out." })
    },
  })

  return (
    <Card>
      <Form form={form}>
        <CardHeader
          title="Password"
          description="Changing it signs you out everywhere else and invalidates your sign-in links."
        />
        <CardBody>
          <FormRefusal form={form} title="The password was not changed." />
          <input type="text" name="username" autoComplete="username" defaultValue={email} readOnly hidden />
          <div className="grid items-start gap-x-4 sm:grid-cols-2">
            {currentNeeded ? (
              <Field label="Current password" error={form.faultOf("currentPassword")} className="last:mb-4">
                <Input type="password" autoComplete="current-password" {...form.input("currentPassword")} />
              </Field>
            ) : null}
            <Field
              label="New password"
              hint={`At least ${passwordLength.min} characters.`}
              error={form.faultOf("newPassword")}
            >
              <Input type="password" autoComplete="new-password" {...form.input("newPassword")} />
            </Field>
          </div>
        </CardBody>
        <CardFooter>
          <span className="text-muted">
            {currentNeeded ? "" : "You have just signed in without a password, so the old one is not needed."}
          </span>
          <Button type="submit" variant="primary" loading={form.saving}>
            Change password
          </Button>
        </CardFooter>
      </Form>
    </Card>
  )
}

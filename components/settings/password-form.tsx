"use client"

import { useForm } from "react-hook-form"
import { applyProblem } from "@/components/api/problem"
import { Button } from "@/components/ui/button"
import { Card, CardBody, CardFooter, CardHeader } from "@/components/ui/card"
import { Field } from "@/components/ui/field"
import { FormErrorSummary } from "@/components/ui/form-error-summary"
import { Input } from "@/components/ui/input"
import { toast } from "@/components/ui/toast"
import { passwordLength } from "@/lib/access/rules"
import { useChangePassword } from "./queries"

type Fields = { currentPassword: string; newPassword: string }

export function PasswordForm({ currentNeeded, email }: { currentNeeded: boolean; email: string }) {
  const change = useChangePassword()
  const form = useForm<Fields>({ defaultValues: { currentPassword: "", newPassword: "" } })
  const { errors, isSubmitting } = form.formState
  const { min, max } = passwordLength

  async function submit({ currentPassword, newPassword }: Fields) {
    try {
      await change.mutateAsync({ body: { newPassword, ...(currentNeeded && { currentPassword }) } })
      form.reset()
      toast.success("Your password is changed", { description: "Every other browser is signed out." })
    } catch (error) {
      applyProblem(form, error)
    }
  }

  return (
    <Card>
      <form method="post" noValidate onSubmit={form.handleSubmit(submit)}>
        <CardHeader title="Password" description="Changing it signs you out everywhere else and voids your sign-in links." />
        <CardBody>
          <FormErrorSummary title="The password was not changed." faults={errors.root?.message ? [{ message: errors.root.message }] : []} />
          <input type="text" name="username" autoComplete="username" defaultValue={email} readOnly hidden />
          <div className="grid items-start gap-x-4 sm:grid-cols-2">
            {currentNeeded ? (
              <Field label="Current password" error={errors.currentPassword?.message} className="last:mb-4">
                <Input type="password" autoComplete="current-password" {...form.register("currentPassword", { required: "Enter your current password." })} />
              </Field>
            ) : null}
            <Field label="New password" hint={`At least ${min} characters.`} error={errors.newPassword?.message}>
              <Input
                type="password"
                autoComplete="new-password"
                {...form.register("newPassword", {
                  required: "Enter a new password.",
                  minLength: { value: min, message: `Must have at least ${min} characters.` },
                  maxLength: { value: max, message: `Must have at most ${max} characters.` },
                })}
              />
            </Field>
          </div>
        </CardBody>
        <CardFooter>
          <span className="text-muted">{currentNeeded ? "" : "You came by a sign-in link, so the old password is not asked for."}</span>
          <Button type="submit" variant="primary" loading={isSubmitting}>Change password</Button>
        </CardFooter>
      </form>
    </Card>
  )
}

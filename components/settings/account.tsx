"use client"

import { useQuery } from "@tanstack/react-query"
import { useRouter } from "next/navigation"
import { problemOf } from "@/components/data/call"
import { Form, FormRefusal } from "@/components/data/form"
import { filled } from "@/components/data/form-rules"
import { usePageForm } from "@/components/late-parts/use-page-form"
import { SaveFooter } from "@/components/settings/general-form"
import { currentSession, useChangePassword, useUpdateSession } from "@/components/settings/queries"
import { SecondFactorCard } from "@/components/settings/second-factor"
import { SessionsCard } from "@/components/settings/sessions"
import { Button } from "@/components/ui/button"
import { Card, CardBody, CardFooter, CardHeader } from "@/components/ui/card"
import { ErrorState } from "@/components/ui/error-state"
import { Field } from "@/components/ui/field"
import { Input } from "@/components/ui/input"
import { KeyValues } from "@/components/ui/key-values"
import { SkeletonRows } from "@/components/ui/skeleton"
import { toast } from "@/components/ui/toast"
import { passwordLength, personNameCharsMax } from "@/lib/access/rules"
import type { Api } from "@/lib/api/registry"

/** The signed-in user: name, password and sessions. */
export function AccountSettings() {
  const { data: session, error, refetch } = useQuery(currentSession())
  if (error && !session) {
    const { detail, title, requestId } = problemOf(error)
    return (
      <Card>
        <ErrorState message={detail ?? title} requestId={requestId} onRetry={() => void refetch()} />
      </Card>
    )
  }
  if (!session)
    return (
      <Card>
        <SkeletonRows rows={6} />
      </Card>
    )
  return (
    <>
      <ProfileForm user={session.user} organizations={session.organizations} />
      <PasswordForm currentNeeded={session.currentPasswordNeeded} email={session.user.email} />
      <SecondFactorCard />
      <SessionsCard />
    </>
  )
}

type Session = Api["GET /v1/session"]["answer"]

/** The name of the person, which they choose, and what is given: address and roles. */
function ProfileForm({ user, organizations }: Pick<Session, "user" | "organizations">) {
  const router = useRouter()
  const update = useUpdateSession()
  const form = usePageForm({
    schema: () => import("@/lib/access/credentials/schema").then(({ SessionChange }) => SessionChange),
    values: { name: user.name ?? "" },
    async save(body) {
      await update.mutateAsync({ body })
      toast.success("Saved")
      // The shell around the page shows the name too.
      router.refresh()
    },
  })

  return (
    <Card>
      <Form form={form}>
        <CardHeader title="You" />
        <KeyValues
          items={[
            { label: "Email address", value: user.email },
            ...organizations.map(({ name, role }) => ({
              label: name,
              value: <span className="capitalize">{role}</span>,
            })),
          ]}
        />
        <CardBody className="border-t border-line">
          <FormRefusal form={form} />
          <Field
            label="Your name"
            hint="Shown to the other members, and in the invites that you send."
            error={form.faultOf("name")}
            className="max-w-md"
          >
            <Input maxLength={personNameCharsMax} autoComplete="name" {...form.input("name")} />
          </Field>
        </CardBody>
        <SaveFooter dirty={form.dirty} saving={form.saving} onReset={form.discard} />
      </Form>
    </Card>
  )
}

function PasswordForm({ currentNeeded, email }: { currentNeeded: boolean; email: string }) {
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

"use client"

import { useRouter } from "next/navigation"
import { Form, FormRefusal } from "@/components/data/form"
import { usePageForm } from "@/components/data/use-page-form"
import { Card, CardBody, CardHeader } from "@/components/ui/card"
import { Field } from "@/components/ui/field"
import { Input } from "@/components/ui/input"
import { KeyValues } from "@/components/ui/key-values"
import { toast } from "@/components/ui/toast"
import type { Api } from "@/lib/api/registry"
import { personNameCharsMax } from "@/lib/access/rules"
import { SaveFooter } from "@/components/settings/general-form"
import { useUpdateSession } from "@/components/settings/queries"

type Session = Api["GET /v1/session"]["answer"]

/** The name of the person, which they choose, and what is given: address and roles. */
export function ProfileForm({ user, organizations }: Pick<Session, "user" | "organizations">) {
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

"use client"

import { Form, FormRefusal } from "@/components/data/form"
import { emptyIsNull } from "@/components/data/form-rules"
import { usePageForm } from "@/components/late-parts/use-page-form"
import { Card, CardBody, CardHeader } from "@/components/ui/card"
import { Field } from "@/components/ui/field"
import { Input } from "@/components/ui/input"
import { SaveRow } from "@/components/ui/save-row"
import { toast } from "@/components/ui/toast"
import { contactFieldNames, contactFields, eachField } from "@/lib/contacts/field-rules"
import { useUpdateContact, type Contact } from "@/components/contacts/queries"

export type OwnProps = { projectId: string; contact: Contact; mayWrite: boolean }

/** Names and phone; the address is permanent. */
export function ProfileCard({ projectId, contact, mayWrite }: OwnProps) {
  const update = useUpdateContact()
  const form = usePageForm({
    schema: () => import("@/lib/contacts/schema").then(({ ContactChange }) => ContactChange),
    values: eachField((name) => contact[name] ?? null),
    async save(body) {
      await update.mutateAsync({ params: { projectId, contactId: contact.id }, body })
      toast.success("Saved")
    },
  })
  return (
    <Card aria-label="Profile">
      <Form form={form}>
        <CardHeader title="Profile" />
        <CardBody>
          <FormRefusal form={form} />
          <div className="grid items-start gap-x-4 sm:grid-cols-3">
            {contactFieldNames.map((name) => (
              <Field key={name} label={contactFields[name].label} error={form.faultOf(name)} className="sm:mb-0">
                <Input
                  disabled={!mayWrite}
                  maxLength={contactFields[name].charsMax}
                  autoComplete="off"
                  inputMode={name === "phone" ? "tel" : "text"}
                  {...form.input(name, emptyIsNull)}
                />
              </Field>
            ))}
          </div>
        </CardBody>
        {form.dirty ? <SaveRow saving={form.saving} onReset={form.discard} /> : null}
      </Form>
    </Card>
  )
}

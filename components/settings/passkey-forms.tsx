"use client"

import { startRegistration } from "@simplewebauthn/browser"
import { useConfirmation } from "@/components/access/confirm-identity"
import { askDevice } from "@/components/access/passkey"
import { Form, FormRefusal } from "@/components/data/form"
import { FormFooter } from "@/components/data/add-dialog"
import { filled } from "@/components/data/form-rules"
import { type ApiForm, useApiForm } from "@/components/data/use-api-form"
import { useBeginPasskey, useCreatePasskey, useUpdatePasskey } from "@/components/settings/queries"
import { Field } from "@/components/ui/field"
import { Input } from "@/components/ui/input"
import type { PasskeyWire } from "@/lib/access/passkeys/schema"

const loadSchema = () => import("@/lib/access/passkeys/schema").then(({ PasskeyChange }) => PasskeyChange)

/** Names a passkey and has the browser create it. */
export function AddPasskey({ onAdded }: { onAdded: (recoveryCodes?: string[]) => void }) {
  const begin = useBeginPasskey()
  const create = useCreatePasskey()
  const confirmation = useConfirmation()
  const form = useApiForm({
    schema: loadSchema,
    defaultValues: { name: "" },
    rules: { name: filled("Enter a name.") },
    async save({ name }) {
      try {
        const { options } = await begin.mutateAsync({})
        const made = await askDevice(() => startRegistration({ optionsJSON: options as never }))
        const { clientDataJSON, attestationObject } = made.response
        const body = { name, credentialId: made.id, clientDataJSON, attestationObject }
        onAdded((await create.mutateAsync({ body })).recoveryCodes)
      } catch (error) {
        if (!confirmation.ask(error, () => void form.submit())) throw error
      }
    },
  })
  return (
    <>
      <Form form={form}>
        <FormRefusal form={form} title="No passkey was added" />
        <NameField form={form} />
        <FormFooter action="Add passkey" saving={form.saving} />
      </Form>
      {confirmation.dialog}
    </>
  )
}

export function RenamePasskey({ passkey, onRenamed }: { passkey: PasskeyWire; onRenamed: () => void }) {
  const update = useUpdatePasskey()
  const form = useApiForm({
    schema: loadSchema,
    defaultValues: { name: passkey.name },
    rules: { name: filled("Enter a name.") },
    async save(body) {
      await update.mutateAsync({ params: { passkeyId: passkey.id }, body })
      onRenamed()
    },
  })
  return (
    <Form form={form}>
      <FormRefusal form={form} />
      <NameField form={form} />
      <FormFooter action="Rename" saving={form.saving} />
    </Form>
  )
}

function NameField({ form }: { form: ApiForm<{ name: string }> }) {
  return (
    <Field label="Name" hint="Where it is kept, such as “Phone” or “Security key”." error={form.faultOf("name")}>
      <Input autoFocus autoComplete="off" maxLength={60} {...form.input("name")} />
    </Field>
  )
}

"use client"

import { encode } from "uqr"
import { Form, FormRefusal, filled } from "@/components/data/form"
import { FormFooter } from "@/components/data/add-dialog"
import { useApiForm, type ApiForm } from "@/components/data/use-api-form"
import { useConfirmTotp, useBeginPasskey, useCreatePasskey, useUpdatePasskey } from "@/components/settings/queries"
import { CopyText, CopyButton } from "@/components/ui/copy-button"
import { Field } from "@/components/ui/field"
import { Input } from "@/components/ui/input"
import { startRegistration } from "@simplewebauthn/browser"
import { useConfirmation } from "@/components/access/confirm-identity"
import { askDevice } from "@/components/access/passkey"
import type { PasskeyWire } from "@/lib/access/passkeys/schema"
import { Button } from "@/components/ui/button"
import { DialogClose, DialogFooter } from "@/components/ui/dialog"

type TotpSetupProps = { secret: string; uri: string; onDone: (recoveryCodes: string[]) => void }

/** The secret as a QR code and as text, and the first code that proves that the app has it. */
export function TotpSetup({ secret, uri, onDone }: TotpSetupProps) {
  const confirm = useConfirmTotp()
  const form = useApiForm({
    schema: () => import("@/lib/access/second-factor/schema").then(({ TotpConfirmation }) => TotpConfirmation),
    defaultValues: { code: "" },
    rules: { code: filled("Enter the code.") },
    async save(body) {
      onDone((await confirm.mutateAsync({ body })).recoveryCodes)
    },
  })
  return (
    <Form form={form}>
      <FormRefusal form={form} title="The app was not set up" />
      <p className="mb-3">Scan this with the app, or type the secret into it.</p>
      <div className="mb-4 flex flex-wrap items-center gap-4">
        <QrCode text={uri} />
        <div className="min-w-0 flex-1 basis-48">
          <div className="text-sm font-medium">Secret</div>
          <CopyText value={secret} display={secret.replaceAll(/(.{4})(?=.)/g, "$1 ")} name="secret" wrap />
        </div>
      </div>
      <Field label="Code" hint="The 6 digits that the app shows now." error={form.faultOf("code")}>
        <Input
          mono
          autoFocus
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={7}
          className="max-w-32"
          {...form.input("code")}
        />
      </Field>
      <FormFooter action="Turn on" saving={form.saving} />
    </Form>
  )
}

/** Dark on light in both themes, with the quiet zone of four modules that readers expect. */
function QrCode({ text }: { text: string }) {
  const { data, size } = encode(text, { border: 4 })
  const path = data.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ""))).join("")
  return (
    <svg
      role="img"
      aria-label="QR code of the secret"
      viewBox={`0 0 ${size} ${size}`}
      className="size-44 shrink-0 rounded-md border border-line bg-white"
      shapeRendering="crispEdges"
    >
      <path d={path} fill="#000" />
    </svg>
  )
}

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

/** Recovery codes, which are shown this once. */
export function RecoveryCodes({ codes }: { codes: readonly string[] }) {
  const text = codes.join("\n")
  return (
    <>
      <ul aria-label="Recovery codes" className="mono grid grid-cols-2 gap-x-6 gap-y-1 rounded-md bg-sunken p-3">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <p className="mt-3 text-muted">
        Keep them where you would find them without your phone: a password manager, or on paper.
      </p>
      <DialogFooter>
        <DialogClose>
          <Button>I have stored them</Button>
        </DialogClose>
        <CopyButton value={text} variant="primary">
          Copy all
        </CopyButton>
        <Button onClick={() => download(text)}>Download</Button>
      </DialogFooter>
    </>
  )
}

function download(text: string) {
  const link = document.createElement("a")
  link.href = URL.createObjectURL(new Blob([`${text}\n`], { type: "text/plain" }))
  link.download = "mailroom-recovery-codes.txt"
  link.click()
  URL.revokeObjectURL(link.href)
}

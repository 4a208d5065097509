"use client"

import { encode } from "uqr"
import { Form, FormRefusal } from "@/components/data/form"
import { FormFooter } from "@/components/data/add-dialog"
import { filled } from "@/components/data/form-rules"
import { useApiForm } from "@/components/data/use-api-form"
import { useConfirmTotp } from "@/components/settings/queries"
import { CopyText } from "@/components/ui/copy-text"
import { Field } from "@/components/ui/field"
import { Input } from "@/components/ui/input"

type TotpSetupProps = { secret: string; uri: string; onDone: (recoveryCodes: string[]) => void }

/** The secret as a QR code and as text, and the first code that proves that the app has it. */
export default function TotpSetup({ secret, uri, onDone }: TotpSetupProps) {
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

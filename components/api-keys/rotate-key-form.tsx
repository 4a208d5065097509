"use client"

import { useConfirmation } from "@/components/access/confirm-identity"
import { Form, FormRefusal } from "@/components/data/form"
import { FormFooter } from "@/components/data/add-dialog"
import { useApiForm } from "@/components/data/use-api-form"
import { RadioCards } from "@/components/ui/radio-cards"
import type { CreatedKey } from "@/components/api-keys/create-key-form"
import { useRotateKey } from "@/components/api-keys/queries"

const overlaps = [
  { value: "24", label: "24 hours", hint: "To update every program today." },
  { value: "168", label: "7 days", hint: "For programs that others must update." },
  { value: "720", label: "30 days", hint: "For programs that are released rarely." },
  { value: "1", label: "1 hour", hint: "For a single program that you update now." },
  { value: "0", label: "None", hint: "The key may be compromised: it is refused within a second." },
]

type RotateFormProps = { projectId: string; keyId: string; onRotated: (created: CreatedKey) => void }

export default function RotateKeyForm({ projectId, keyId, onRotated }: RotateFormProps) {
  const rotate = useRotateKey()
  const confirmation = useConfirmation()
  const form = useApiForm({
    defaultValues: { overlapHours: "24" },
    async save({ overlapHours }) {
      const body = { overlapHours: Number(overlapHours) as 0 | 1 | 24 | 168 | 720 }
      try {
        onRotated(await rotate.mutateAsync({ params: { projectId, keyId }, body }))
      } catch (error) {
        if (!confirmation.ask(error, () => void form.submit())) throw error
      }
    },
  })

  return (
    <>
      <Form form={form}>
        <FormRefusal form={form} title="The key was not rotated." />
        <RadioCards legend="Overlap" columns={2} options={overlaps} {...form.register("overlapHours")} />
        <FormFooter action="Rotate key" saving={form.saving} />
      </Form>
      {confirmation.dialog}
    </>
  )
}

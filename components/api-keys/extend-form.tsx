"use client"

import { useConfirmation } from "@/components/access/confirm-identity"
import { Form, FormRefusal } from "@/components/data/form"
import { FormFooter } from "@/components/data/add-dialog"
import { useApiForm } from "@/components/data/use-api-form"
import { useChangeKey } from "@/components/api-keys/queries"
import { momentWords, type Extension } from "@/components/api-keys/usage-words"
import { useTimeZone } from "@/components/ui/local-time"
import { RadioCards } from "@/components/ui/radio-cards"
import { toast } from "@/components/ui/toast"

type ExtendFormProps = { projectId: string; keyId: string; extensions: readonly Extension[]; onDone: () => void }

export default function ExtendForm({ projectId, keyId, extensions, onDone }: ExtendFormProps) {
  const change = useChangeKey()
  const confirmation = useConfirmation()
  const timeZone = useTimeZone()
  const form = useApiForm({
    defaultValues: { overlapHours: String(extensions[0]?.hours) },
    async save({ overlapHours }) {
      const chosen = extensions.find(({ hours }) => String(hours) === overlapHours)
      if (!chosen) return
      try {
        const key = await change.mutateAsync({ params: { projectId, keyId }, body: { overlapHours: chosen.hours } })
        onDone()
        toast.success("The old key was extended", {
          description: key.expiresAt && `It works until ${momentWords(key.expiresAt, timeZone)}.`,
        })
      } catch (error) {
        if (!confirmation.ask(error, () => void form.submit())) throw error
      }
    },
  })
  return (
    <>
      <Form form={form}>
        <FormRefusal form={form} title="The key was not extended." />
        <RadioCards
          legend="Total, from the rotation"
          columns={2}
          options={extensions.map(({ hours, label, endsAt }) => ({
            value: String(hours),
            label,
            hint: `Until ${momentWords(endsAt, timeZone)}.`,
          }))}
          {...form.register("overlapHours")}
        />
        <FormFooter action="Extend old key" saving={form.saving} />
      </Form>
      {confirmation.dialog}
    </>
  )
}

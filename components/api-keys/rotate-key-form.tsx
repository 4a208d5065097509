"use client"

import { useForm } from "react-hook-form"
import { useConfirmation } from "@/components/access/confirm-identity"
import { applyProblem } from "@/components/api/problem"
import { Button } from "@/components/ui/button"
import { DialogClose, DialogFooter } from "@/components/ui/dialog"
import { FormErrorSummary } from "@/components/ui/form-error-summary"
import { RadioCards } from "@/components/ui/radio-cards"
import type { CreatedKey } from "@/components/api-keys/create-key-form"
import { useRotateKey } from "@/components/api-keys/queries"

const overlaps = [
  { value: "24", label: "24 hours", hint: "Time to change every program today." },
  { value: "168", label: "7 days", hint: "For programs that others must change." },
  { value: "1", label: "1 hour", hint: "For one program that you change now." },
  { value: "0", label: "None", hint: "The key may be in wrong hands: it is refused from the next second on." },
]

type RotateFormProps = { projectId: string; keyId: string; onRotated: (created: CreatedKey) => void }

export default function RotateKeyForm({ projectId, keyId, onRotated }: RotateFormProps) {
  const rotate = useRotateKey()
  const confirmation = useConfirmation()
  const form = useForm<{ overlap: string }>({ defaultValues: { overlap: "24" } })
  const { errors, isSubmitting } = form.formState

  async function submit({ overlap }: { overlap: string }) {
    const overlapHours = Number(overlap) as 0 | 1 | 24 | 168
    try {
      onRotated(await rotate.mutateAsync({ params: { projectId, keyId }, body: { overlapHours } }))
    } catch (error) {
      if (!confirmation.ask(error, () => void submit({ overlap }))) applyProblem(form, error)
    }
  }

  return (
    <>
      <form method="post" noValidate onSubmit={form.handleSubmit(submit)}>
        <FormErrorSummary
          title="The key was not rotated."
          faults={errors.root?.message ? [{ message: errors.root.message }] : []}
        />
        <RadioCards legend="Overlap" columns={2} options={overlaps} {...form.register("overlap")} />
        <DialogFooter>
          <DialogClose>
            <Button>Cancel</Button>
          </DialogClose>
          <Button type="submit" variant="primary" loading={isSubmitting}>
            Rotate key
          </Button>
        </DialogFooter>
      </form>
      {confirmation.dialog}
    </>
  )
}

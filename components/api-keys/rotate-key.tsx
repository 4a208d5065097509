"use client"

import { useState } from "react"
import { useForm } from "react-hook-form"
import { useConfirmation } from "@/components/access/confirm-identity"
import { applyProblem } from "@/components/api/problem"
import { Button } from "@/components/ui/button"
import { Dialog, DialogClose, DialogFooter } from "@/components/ui/dialog"
import { FormErrorSummary } from "@/components/ui/form-error-summary"
import { RadioCards } from "@/components/ui/radio-cards"
import type { CreatedKey } from "./create-key-form"
import { KeyReveal } from "./key-reveal"
import { useRotateKey } from "./queries"

type RotateKeyProps = { projectId: string; keyId: string; name: string; /** For the ready command. */ baseUrl: string; recipient: string }

const overlaps = [
  { value: "24", label: "24 hours", hint: "Time to change every program today." },
  { value: "168", label: "7 days", hint: "For programs that others must change." },
  { value: "1", label: "1 hour", hint: "For one program that you change now." },
  { value: "0", label: "None", hint: "The key may be in wrong hands: it is refused from the next second on." },
]

/** Puts a new key in the place of this one, which goes on working for a while. */
export function RotateKey({ projectId, keyId, name, baseUrl, recipient }: RotateKeyProps) {
  const [open, setOpen] = useState(false)
  const [created, setCreated] = useState<CreatedKey>()
  function change(next: boolean) {
    setOpen(next)
    if (!next) setCreated(undefined)
  }
  return (
    <Dialog
      trigger={<Button>Rotate</Button>}
      open={open}
      onOpenChange={change}
      title={created ? "Your new key" : `Rotate ${name}`}
      description={
        created
          ? "Copy it now: it is not kept anywhere and will never be shown again."
          : "Makes a new key with the same name and permissions. How long does this one go on working?"
      }
    >
      {created ? (
        <KeyReveal projectId={projectId} created={created} baseUrl={baseUrl} recipient={recipient} />
      ) : (
        <RotateForm projectId={projectId} keyId={keyId} onRotated={setCreated} />
      )}
    </Dialog>
  )
}

type RotateFormProps = { projectId: string; keyId: string; onRotated: (created: CreatedKey) => void }

function RotateForm({ projectId, keyId, onRotated }: RotateFormProps) {
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
        <FormErrorSummary title="The key was not rotated." faults={errors.root?.message ? [{ message: errors.root.message }] : []} />
        <RadioCards legend="Overlap" columns={2} options={overlaps} {...form.register("overlap")} />
        <DialogFooter>
          <DialogClose><Button>Cancel</Button></DialogClose>
          <Button type="submit" variant="primary" loading={isSubmitting}>Rotate key</Button>
        </DialogFooter>
      </form>
      {confirmation.dialog}
    </>
  )
}

"use client"

import { Plus } from "lucide-react"
import { useState, type FormEvent } from "react"
import { useMay } from "@/components/access/powers"
import { faultsOf } from "@/components/api/problem"
import { useCall } from "@/components/api/use-call"
import { Button } from "@/components/ui/button"
import { Dialog, DialogClose, DialogFooter } from "@/components/ui/dialog"
import { Field } from "@/components/ui/field"
import { Input } from "@/components/ui/input"
import { toast } from "@/components/ui/toast"
import { suppressionsRoute } from "@/components/suppressions/queries"

export function AddSuppression({ projectId }: { projectId: string }) {
  const may = useMay("suppressions:write")
  const [open, setOpen] = useState(false)
  if (!may) return null
  return (
    <Dialog
      trigger={
        <Button variant="primary" icon={<Plus />}>
          Add address
        </Button>
      }
      open={open}
      onOpenChange={setOpen}
      size="small"
      intent="suppress-address"
      title="Suppress an address"
      description="Nothing goes there from this project any more, whoever asks for it."
    >
      <AddForm projectId={projectId} done={() => setOpen(false)} />
    </Dialog>
  )
}

function AddForm({ projectId, done }: { projectId: string; done: () => void }) {
  const add = useCall("POST /v1/projects/{projectId}/suppressions", [suppressionsRoute])
  const [email, setEmail] = useState("")
  const faults = add.error ? faultsOf(add.error, ["email"]) : undefined

  async function submit(event: FormEvent) {
    event.preventDefault()
    const added = await add.mutateAsync({ params: { projectId }, body: { email } }).catch(() => undefined)
    if (!added) return
    done()
    toast.success(`${added.email} is suppressed`)
  }

  return (
    <form noValidate onSubmit={submit}>
      <Field label="Address" error={faults?.fields.email ?? faults?.root}>
        <Input
          type="email"
          value={email}
          onChange={(event) => setEmail(event.target.value)}
          placeholder="ada@example.com"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
      </Field>
      <DialogFooter>
        <DialogClose>
          <Button>Cancel</Button>
        </DialogClose>
        <Button type="submit" variant="primary" loading={add.isPending}>
          Suppress
        </Button>
      </DialogFooter>
    </form>
  )
}

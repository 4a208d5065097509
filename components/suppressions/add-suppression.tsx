"use client"

import { Plus } from "lucide-react"
import { useState } from "react"
import { useMay } from "@/components/access/powers"
import { Form, FormRefusal } from "@/components/data/form"
import { useCall } from "@/components/data/use-call"
import { usePageForm } from "@/components/data/use-page-form"
import type { DialogName } from "@/components/layout/dialog-names"
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
      intent={"suppress-address" satisfies DialogName}
      title="Suppress an address"
      description="This project sends no more email to the address."
    >
      <AddForm projectId={projectId} done={() => setOpen(false)} />
    </Dialog>
  )
}

function AddForm({ projectId, done }: { projectId: string; done: () => void }) {
  const add = useCall("POST /v1/projects/{projectId}/suppressions", [suppressionsRoute])
  const form = usePageForm({
    schema: () => import("@/lib/suppressions/schema").then(({ NewSuppression }) => NewSuppression),
    defaultValues: { email: "" },
    async save(body) {
      const { email } = await add.mutateAsync({ params: { projectId }, body })
      done()
      toast.success(`${email} is suppressed`)
    },
  })

  return (
    <Form form={form}>
      <FormRefusal form={form} title="The address was not suppressed." />
      <Field label="Address" error={form.faultOf("email")}>
        <Input
          type="email"
          placeholder="ada@example.com"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          {...form.input("email")}
        />
      </Field>
      <DialogFooter>
        <Button type="submit" variant="primary" loading={form.saving}>
          Suppress
        </Button>
        <DialogClose>
          <Button>Cancel</Button>
        </DialogClose>
      </DialogFooter>
    </Form>
  )
}

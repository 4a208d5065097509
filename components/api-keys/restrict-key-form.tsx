"use client"

import { useConfirmation } from "@/components/access/confirm-identity"
import { useChangeKey } from "@/components/api-keys/queries"
import { RestrictionFields, type Restrictions } from "@/components/api-keys/restriction-fields"
import { Form, FormRefusal } from "@/components/data/form"
import { FormFooter } from "@/components/data/add-dialog"
import { useApiForm } from "@/components/data/use-api-form"
import { toast } from "@/components/ui/toast"

type RestrictKeyFormProps = { params: { projectId: string; keyId: string }; initial: Restrictions; onSaved: () => void }

export default function RestrictKeyForm({ params, initial, onSaved }: RestrictKeyFormProps) {
  const change = useChangeKey()
  const confirmation = useConfirmation()
  const form = useApiForm({
    schema: () => import("@/lib/api-keys/schema").then(({ KeyRestrictions }) => KeyRestrictions),
    defaultValues: initial,
    async save(body) {
      try {
        await change.mutateAsync({ params, body })
        toast.success("Saved", { description: "Takes effect within a second." })
        onSaved()
      } catch (error) {
        if (!confirmation.ask(error, () => void form.submit())) throw error
      }
    },
  })
  return (
    <>
      <Form form={form}>
        <FormRefusal form={form} title="The key was not changed." />
        <RestrictionFields control={form.control} />
        <FormFooter action="Save" saving={form.saving} />
      </Form>
      {confirmation.dialog}
    </>
  )
}

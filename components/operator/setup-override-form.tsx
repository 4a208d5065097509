"use client"

import { Form, FormRefusal } from "@/components/data/form"
import { FormFooter } from "@/components/data/add-dialog"
import { useApiForm } from "@/components/data/use-api-form"
import { useCall } from "@/components/data/use-call"
import { type SetupRowWire, setupRoute } from "@/components/operator/queries"
import { setupRowKey } from "@/components/operator/setup-words"
import { Field } from "@/components/ui/field"
import { Textarea } from "@/components/ui/input"
import { toast } from "@/components/ui/toast"

const schemas = () => import("@/lib/delivery/setup/schema")

export function OverrideForm({ row, done }: { row: SetupRowWire; done: () => void }) {
  const confirm = useCall("PUT /v1/operator/setup-confirmations", [setupRoute])
  const form = useApiForm({
    schema: () => schemas().then(({ SetupConfirmation }) => SetupConfirmation),
    defaultValues: { ...setupRowKey(row), confirmed: true, reason: "" },
    async save(body) {
      await confirm.mutateAsync({ body })
      done()
      toast.success(`${row.title} is overridden`)
    },
  })
  return (
    <Form form={form}>
      <FormRefusal form={form} title="The row was not overridden." />
      <Field label="Reason" hint="Why it is fine as it is." error={form.faultOf("reason")}>
        <Textarea rows={3} {...form.input("reason")} />
      </Field>
      <FormFooter action="Override" saving={form.saving} />
    </Form>
  )
}

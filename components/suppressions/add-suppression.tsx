"use client"

import { Upload } from "lucide-react"
import { lazy } from "react"
import { AddDialog } from "@/components/data/add-dialog"
import { Form, FormRefusal } from "@/components/data/form"
import { FormFooter } from "@/components/data/form-footer"
import { useCall } from "@/components/data/use-call"
import { usePageForm } from "@/components/late-parts/use-page-form"
import { Field } from "@/components/ui/field"
import { Input } from "@/components/ui/input"
import { toast } from "@/components/ui/toast"
import { suppressionsRoute } from "@/components/suppressions/queries"

const loadImportForm = () => import("@/components/suppressions/import-form")
const ImportForm = lazy(loadImportForm)

export function AddSuppression({ projectId }: { projectId: string }) {
  return (
    <AddDialog
      action="Add address"
      size="small"
      intent="suppress-address"
      title="Suppress an address"
      description="This project sends no more email to the address."
    >
      {(close) => <AddForm projectId={projectId} done={close} />}
    </AddDialog>
  )
}

export function ImportSuppressions({ projectId }: { projectId: string }) {
  return (
    <AddDialog
      action="Import"
      button={{ icon: <Upload /> }}
      title="Import suppressions"
      description="Import your previous provider's list, so that people who unsubscribed get no more email."
      load={loadImportForm}
      height="h-60"
    >
      {() => <ImportForm projectId={projectId} />}
    </AddDialog>
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
      <FormFooter action="Suppress" saving={form.saving} />
    </Form>
  )
}

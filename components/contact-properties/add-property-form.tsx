"use client"

import { Form, FormRefusal } from "@/components/data/form"
import { trimmed } from "@/components/data/form-rules"
import { useApiForm } from "@/components/data/use-api-form"
import { Button } from "@/components/ui/button"
import { DialogClose, DialogFooter } from "@/components/ui/dialog"
import { Field } from "@/components/ui/field"
import { Input } from "@/components/ui/input"
import { RadioCards } from "@/components/ui/radio-cards"
import { toast } from "@/components/ui/toast"
import { valueFault, type PropertyType } from "@/lib/contact-properties/rules"
import { useCreateProperty } from "@/components/contact-properties/queries"

export default function AddPropertyForm({ projectId, done }: { projectId: string; done: () => void }) {
  const create = useCreateProperty()
  const form = useApiForm({
    schema: () => import("@/lib/contact-properties/schema").then(({ NewContactProperty }) => NewContactProperty),
    defaultValues: { key: "", type: "string" as PropertyType, fallbackValue: undefined as string | undefined },
    rules: {
      key: (key) => (key === "" ? "Must be letters, digits and underscores." : undefined),
      fallbackValue: (value, { type }) => (value === undefined ? undefined : (valueFault(type, value) ?? undefined)),
    },
    refusals: { "property.already_exists": { field: "key" } },
    async save(body) {
      await create.mutateAsync({ params: { projectId }, body })
      done()
      toast.success(`${body.key} was defined`)
    },
  })

  return (
    <Form form={form}>
      <FormRefusal form={form} title="The property was not defined." />
      <Field label="Key" error={form.faultOf("key")} hint="Letters, digits and underscores, as in plan or last_visit.">
        <Input
          autoFocus
          mono
          maxLength={50}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          {...form.input("key", trimmed)}
        />
      </Field>
      <RadioCards
        legend="Type"
        columns={2}
        options={[
          { value: "string", label: "Text" },
          { value: "number", label: "Number", hint: "Segments compare it as a number." },
        ]}
        error={form.faultOf("type")}
        {...form.register("type")}
      />
      <Field label="Fallback" optional error={form.faultOf("fallbackValue")} hint="Used for contacts without a value.">
        <Input autoComplete="off" {...form.input("fallbackValue", { setValueAs: (text) => text || undefined })} />
      </Field>
      <DialogFooter>
        <Button type="submit" variant="primary" loading={form.saving}>
          Define property
        </Button>
        <DialogClose>
          <Button>Cancel</Button>
        </DialogClose>
      </DialogFooter>
    </Form>
  )
}

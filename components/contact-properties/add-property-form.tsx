"use client"

import { useWatch } from "react-hook-form"
import { Form, FormRefusal, trimmed } from "@/components/data/form"
import { FormFooter } from "@/components/data/add-dialog"
import { useApiForm } from "@/components/data/use-api-form"
import { Field } from "@/components/ui/field"
import { Input } from "@/components/ui/input"
import { RadioCards } from "@/components/ui/radio-cards"
import { toast } from "@/components/ui/toast"
import { valueFault, type PropertyType } from "@/lib/contact-properties/rules"
import { ValueInput, typeWords } from "@/components/contact-properties/property-value"
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

  const type = useWatch({ control: form.control, name: "type" })
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
          { value: "string", label: typeWords.string, hint: "Such as a plan or a city." },
          { value: "number", label: typeWords.number, hint: "Such as a number of visits." },
          { value: "boolean", label: typeWords.boolean, hint: "Such as whether somebody is a member." },
          { value: "date", label: typeWords.date, hint: "A day, such as a date of birth." },
        ]}
        error={form.faultOf("type")}
        {...form.register("type", { onChange: () => form.setValue("fallbackValue", undefined) })}
      />
      <Field label="Fallback" optional error={form.faultOf("fallbackValue")} hint="Used for contacts without a value.">
        <ValueInput
          key={type}
          type={type}
          none="None"
          {...form.input("fallbackValue", { setValueAs: (text) => text || undefined })}
        />
      </Field>
      <FormFooter action="Define property" saving={form.saving} />
    </Form>
  )
}

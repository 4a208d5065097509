"use client"

import { controlId, type KeptDraft } from "@/components/compose/drafts"
import type { Template } from "@/components/templates/queries"
import { Field } from "@/components/ui/field"
import { Select } from "@/components/ui/select"

type TemplateFieldProps = { draft: KeptDraft; templates: readonly Template[] }

/** Chooses what gives the content: this page, or a template. What has been written here stays. */
export default function TemplateField({ draft: { fields, change, errorOf }, templates }: TemplateFieldProps) {
  const isUnknown = fields.template !== "" && templates.every(({ id }) => id !== fields.template)
  return (
    <Field beside label="Content" id={controlId("template")} error={errorOf("template")}>
      <Select
        value={fields.template}
        options={[
          { value: "", label: "Written here" },
          ...(isUnknown ? [{ value: fields.template, label: fields.template }] : []),
          ...templates.map(({ id, name }) => ({ value: id, label: `Template: ${name}` })),
        ]}
        onChange={({ target }) => change({ template: target.value })}
      />
    </Field>
  )
}

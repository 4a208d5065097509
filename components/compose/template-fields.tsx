"use client"

import { controlId, type KeptDraft } from "@/components/compose/drafts"
import type { Template } from "@/components/templates/queries"
import { Field } from "@/components/ui/field"
import { Select } from "@/components/ui/select"
import { usePublishedVersion } from "@/components/compose/templated"
import { CardBody } from "@/components/ui/card"
import { Input } from "@/components/ui/input"

type TemplateFieldProps = { draft: KeptDraft; templates: readonly Template[] }

/** Chooses what gives the content: this page, or a template. What has been written here stays. */
export function TemplateField({ draft: { fields, change, errorOf }, templates }: TemplateFieldProps) {
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

type TemplateValuesProps = { projectId: string; draft: KeptDraft }

/** A value for each variable of the published template. */
export function TemplateValues({ projectId, draft: { fields, change, errorOf } }: TemplateValuesProps) {
  const variables = usePublishedVersion(projectId, fields.template)?.variables ?? []
  const error = errorOf("templateValues")
  return (
    <CardBody>
      {variables.length === 0 ? (
        <p className="text-muted">The template gives subject and content, and needs no values from here.</p>
      ) : (
        <div className="grid items-start gap-x-4 sm:grid-cols-2">
          {variables.map(({ name, fallback }, at) => (
            <Field
              key={name}
              label={name}
              required={fallback === undefined}
              {...(at === 0 && { id: controlId("templateValues"), error })}
              hint={fallback === undefined ? undefined : `Without a value: ${fallback || "nothing"}`}
            >
              <Input
                autoComplete="off"
                value={fields.templateValues[name] ?? ""}
                onChange={({ target }) =>
                  change({ templateValues: { ...fields.templateValues, [name]: target.value } })
                }
              />
            </Field>
          ))}
        </div>
      )}
    </CardBody>
  )
}

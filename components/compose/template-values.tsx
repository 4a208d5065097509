"use client"

import { controlId, type KeptDraft } from "@/components/compose/drafts"
import { usePublishedVersion } from "@/components/compose/templated"
import { CardBody } from "@/components/ui/card"
import { Field } from "@/components/ui/field"
import { Input } from "@/components/ui/input"

type TemplateValuesProps = { projectId: string; draft: KeptDraft }

/** A value for each variable of the published template. */
export default function TemplateValues({ projectId, draft: { fields, change, errorOf } }: TemplateValuesProps) {
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

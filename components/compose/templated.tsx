"use client"

import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { controlId, type KeptDraft } from "@/components/compose/drafts"
import { type Fields, givenValues } from "@/components/compose/fields"
import { problemOf } from "@/components/data/call"
import { useSettled } from "@/components/segments/use-settled"
import {
  allTemplatesQuery,
  type Template,
  templatePreviewQuery,
  type TemplateVersion,
  templateVersionsQuery,
} from "@/components/templates/queries"
import { sampleOf } from "@/components/templates/words"
import { CardBody } from "@/components/ui/card"
import { Field } from "@/components/ui/field"
import { Input } from "@/components/ui/input"
import { Select } from "@/components/ui/select"

/** The published templates of the project; undefined until they are known. */
export function usePublishedTemplates(projectId: string): Template[] | undefined {
  const all = useQuery(allTemplatesQuery(projectId)).data?.data
  return all?.filter(({ version }) => version > 0)
}

/** The version of a template that sends use; undefined for none, and until it is known. */
export function usePublishedVersion(projectId: string, templateId: string): TemplateVersion | undefined {
  const versions = useQuery({ ...templateVersionsQuery(projectId, templateId), enabled: templateId !== "" })
  return versions.data?.data[0]
}

type TemplatedProps = { projectId: string; draft: KeptDraft; templates: readonly Template[] }

/** Chooses what gives the content: this page, or a template. What has been written here stays. */
export function TemplateField({ draft: { fields, change, errorOf }, templates }: Omit<TemplatedProps, "projectId">) {
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

/** A value for each variable of the published template. */
export function TemplateValues({ projectId, draft: { fields, change, errorOf } }: Omit<TemplatedProps, "templates">) {
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

/** The published template with the values given so far and samples for the others; undefined until there is one. */
export function useTemplateContent(projectId: string, fields: Fields) {
  const templates = usePublishedTemplates(projectId)
  const version = usePublishedVersion(projectId, fields.template)
  const template = templates?.find(({ id }) => id === fields.template)
  // As text: a copy with the same values is no change.
  const given = useSettled(JSON.stringify(givenValues(fields)))
  const values = JSON.parse(given) as Record<string, string>
  const variables = version?.variables ?? []
  const known = Object.fromEntries(variables.map((one) => [one.name, values[one.name] ?? sampleOf(one)]))
  const { data, error } = useQuery({
    ...templatePreviewQuery(projectId, template ?? { id: fields.template, updatedAt: "" }, known, true),
    enabled: template !== undefined && version !== undefined,
    placeholderData: keepPreviousData,
  })
  return { content: data, fault: error ? words(problemOf(error)) : null }
}

function words({ errors, detail, title }: ReturnType<typeof problemOf>): string {
  const named = (pointer: string) => (pointer.startsWith("/variables/") ? `${pointer.slice(11)}: ` : "")
  return errors?.map((one) => `${named(one.pointer)}${one.detail}`).join(" ") ?? detail ?? title
}

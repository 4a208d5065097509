"use client"

import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { type Fields, givenValues } from "@/components/compose/fields"
import { problemOf } from "@/components/data/call"
import { useSettled } from "@/components/ui/input"
import {
  allTemplatesQuery,
  type Template,
  templatePreviewQuery,
  type TemplateVersion,
  templateVersionsQuery,
} from "@/components/templates/queries"
import { sampleOf } from "@/components/templates/words"

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

"use client"

import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { audienceIn, topicIn } from "@/components/compose/addresses"
import { type Fields, givenValues, trackingOf } from "@/components/compose/fields"
import { hasPlaceholders } from "@/components/compose/placeholders"
import { call, type CallAnswer, type CallInput, problemOf } from "@/components/data/call"
import { useSettled } from "@/components/ui/input"
import { sampleOf } from "@/components/templates/words"
import type { TemplateVersion } from "@/components/templates/queries"
import { presentBody } from "@/lib/emails/message-rules"

const route = "POST /v1/projects/{projectId}/broadcasts/preview"

type Asked = NonNullable<CallInput<typeof route>["body"]>
type Shown = CallAnswer<typeof route>

/** What the API makes of a broadcast for one person, or why it cannot. */
export type ExactPreview = {
  shown?: Shown
  faults?: { pointer: string; detail: string }[]
  /** What is shown is of the content before the last change. */
  outdated?: true
}

/** The broadcast as this contact, or else the first of its audience, would get it; undefined where To has addresses. */
export function useExactPreview(
  projectId: string,
  fields: Fields,
  variables: TemplateVersion["variables"] | undefined,
  contactId: string,
): ExactPreview | undefined {
  const asked = askedOf(fields, variables)
  const wanted = JSON.stringify(asked && { ...asked, ...(contactId && { contactId }) })
  const settled = useSettled(wanted)
  const { data, error, isPlaceholderData } = useQuery({
    queryKey: [route, projectId, settled] as const,
    enabled: asked !== null && settled !== "null",
    placeholderData: keepPreviousData,
    staleTime: 10_000,
    retry: false,
    queryFn: ({ signal }) => call(route, { params: { projectId }, body: JSON.parse(settled) as Asked }, signal),
  })
  if (asked === null) return undefined
  const problem = error && problemOf(error)
  if (problem) return { faults: problem.errors ?? [{ pointer: "", detail: problem.detail ?? problem.title }] }
  if (!data) return {}
  return { shown: data, ...((isPlaceholderData || settled !== wanted) && { outdated: true }) }
}

/** Subject and bodies with this person's values, without what is added on sending. */
export async function personalContent(projectId: string, fields: Fields, contactId: string) {
  const asked = askedOf(fields, undefined)
  if (!asked || !hasPlaceholders(fields)) return {}
  const body = { ...asked, asSent: false, ...(contactId && { contactId }) }
  const { subject, html = "", text = "" } = await call(route, { params: { projectId }, body })
  return { subject, html, text }
}

function askedOf(fields: Fields, variables: TemplateVersion["variables"] | undefined): Asked | null {
  const { from, subject, template } = fields
  const [to, html, text] = [audienceIn(fields.to), presentBody(fields.html), presentBody(fields.text)]
  if (to === null || (template ? !variables : !html && !text)) return null
  const { unsubscribeTracking: _link, ...trackingSettings } = trackingOf(fields)
  const topicId = topicIn(to) ?? fields.topicId
  const about = {
    to: [to],
    ...(topicId && { topicId }),
    ...(/^[^@]+@[^@]+$/.test(from.trim()) && { from: from.trim() }),
    ...(Object.keys(trackingSettings).length > 0 && { trackingSettings }),
  }
  if (!template)
    return {
      ...about,
      subject: subject.trim() || "No subject",
      ...(html && { html }),
      ...(text && { text }),
      ...(hasPlaceholders(fields) && { placeholders: true }),
    }
  const given = givenValues(fields)
  const values = (variables ?? []).map((one) => [one.name, given[one.name] ?? sampleOf(one)])
  return { ...about, template: { id: template, variables: Object.fromEntries(values) as Record<string, string> } }
}

import type { Broadcast } from "@/components/broadcasts/queries"
import { broadcastOf } from "@/components/compose/broadcast"
import { type Fields, givenValues, isoOf } from "@/components/compose/fields"
import type { CallInput } from "@/components/data/call"

type Change = NonNullable<CallInput<"PATCH /v1/projects/{projectId}/broadcasts/{broadcastId}">["body"]>

/** The change that makes the draft what the form says: what is empty there is cleared. */
export function draftChange(fields: Fields, draft: Broadcast): Change {
  const { idempotencyKey: _key, template, subject, html, text, placeholders = false, ...rest } = broadcastOf(fields)
  const { replyTo = null, headers = null, tags = null, metadata = null, topicId = null } = rest
  const { trackingSettings = null, giveUpAfterSeconds = null, testMode = false } = rest
  const own = { subject, html: html ?? null, text: text ?? null, placeholders }
  const before = draft.template
  const isSame = before && before.id === template?.id && sameValues(givenValues(fields), before.variables)
  return {
    ...rest,
    ...{ replyTo, headers, tags, metadata, topicId, trackingSettings, giveUpAfterSeconds, testMode },
    ...(template ? !isSame && { template } : { ...own, ...(draft.template && { template: null }) }),
    scheduledAt: fields.when === "later" ? isoOf(fields.scheduledAt) : null,
  }
}

function sameValues(one: Record<string, string>, other: Record<string, string>): boolean {
  const text = (values: Record<string, string>) => JSON.stringify(Object.entries(values).toSorted())
  return text(one) === text(other)
}

import { topicIn } from "@/components/compose/addresses"
import { bodyOfFields, type Fields, type SendBody, givenValues, isoOf } from "@/components/compose/fields"
import { hasPlaceholders } from "@/components/compose/placeholders"
import type { CallInput } from "@/components/data/call"
import type { Broadcast } from "@/components/broadcasts/queries"

type BroadcastBody = NonNullable<CallInput<"POST /v1/projects/{projectId}/broadcasts">["body"]>

/** The broadcast that these fields make: To names a topic or segment, whose members each get a message of their own. */
export function broadcastOf(fields: Fields): BroadcastBody {
  const { cc: _cc, bcc: _bcc, deliveryWindow: _window, trackingSettings = {}, ...body } = bodyOfFields(fields)
  // The link to unsubscribe is always on.
  const { unsubscribeTracking: _link, ...tracking } = trackingSettings
  const topicId = topicIn(fields.to) ?? body.topicId
  return {
    ...body,
    subject: body.subject ?? "",
    ...(hasPlaceholders(fields) && { placeholders: true }),
    ...(topicId ? { topicId } : {}),
    ...(Object.keys(tracking).length ? { trackingSettings: tracking } : {}),
  }
}

/** The same content as a test to one person now; neither the audience nor Cc and Bcc get it. */
export function testOf(fields: Fields, to: string): SendBody {
  return bodyOfFields({
    ...fields,
    ...{
      to,
      cc: "",
      bcc: "",
      topicId: "",
      when: "now",
      windowStart: "",
      windowEnd: "",
      idempotencyKey: "",
      testMode: false,
    },
  })
}

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

import { topicIn } from "@/components/compose/addresses"
import { bodyOfFields, type Fields, type SendBody } from "@/components/compose/fields"
import { hasPlaceholders } from "@/components/compose/placeholders"
import type { CallInput } from "@/components/data/call"

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

import type { Check } from "@/components/compose/check"
import { bodyCheck, linkCheck, placeholderCheck, sizeCheck, subjectCheck } from "@/components/compose/content-checks"
import type { Fields } from "@/components/compose/fields"
import {
  recipientCheck,
  senderCheck,
  topicCheck,
  unsubscribeCheck,
  type Around,
} from "@/components/compose/recipient-checks"

/** Everything that is checked before an email leaves, in the order of the form. */
export function checksOf(fields: Fields, around: Around): Check[] {
  return [
    senderCheck(fields, around),
    recipientCheck(fields, around),
    topicCheck(fields, around),
    subjectCheck(fields),
    bodyCheck(fields),
    placeholderCheck(fields),
    sizeCheck(fields),
    linkCheck(fields),
    unsubscribeCheck(fields, around),
    timeCheck(fields, around),
  ].flatMap((check) => check ?? [])
}

const minuteMs = 60_000

function timeCheck({ when, scheduledAt }: Fields, { now }: Around): Check | null {
  if (when === "now") return null
  const ahead = Date.parse(scheduledAt) - now
  const base = { id: "time", field: "scheduledAt" as const }
  if (!Number.isFinite(ahead))
    return { ...base, tone: "wait", title: "No time yet", detail: "From 30 seconds to 30 days ahead." }
  if (ahead < minuteMs / 2)
    return { ...base, tone: "bad", title: "The time is too soon", detail: "At least 30 seconds ahead." }
  if (ahead > 30 * 24 * 60 * minuteMs)
    return { ...base, tone: "bad", title: "The time is too far", detail: "At most 30 days ahead." }
  return { ...base, tone: "good", title: "Scheduled", detail: "Until then you can reschedule or cancel it." }
}

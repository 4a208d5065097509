import { countText, formatNumber } from "@/lib/platform/format"
import type { Broadcast } from "@/components/broadcasts/queries"
import type { Tone } from "@/components/ui/pill"
import { type BroadcastStatus, type ExclusionReason, exclusionReasons } from "@/lib/broadcasts/rules"

type Words = { word: string; tone: Tone; means: string }

const statuses: Record<BroadcastStatus, Words> = {
  draft: { word: "Draft", tone: "wait", means: "Nothing is sent until you send it." },
  scheduled: { word: "Scheduled", tone: "wait", means: "It starts at its scheduled time." },
  preparing: { word: "Preparing", tone: "warn", means: "The recipients are being counted." },
  sending: { word: "Sending", tone: "warn", means: "Emails are being accepted and sent." },
  paused: { word: "Paused", tone: "warn", means: "No email is sent until you resume it." },
  sent: { word: "Sent", tone: "wait", means: "One email was sent to everyone who was not excluded." },
  cancelled: { word: "Cancelled", tone: "wait", means: "It was cancelled; the remaining people get nothing." },
}

export function broadcastWords(status: BroadcastStatus): Words {
  return statuses[status]
}

const excluded: Record<ExclusionReason, string> = {
  unsubscribed: "unsubscribed",
  suppressed: "suppressed",
  topicOptOut: "not subscribed to the topic",
  left: "left in the meantime",
}

/** "38 were excluded: 31 unsubscribed, 7 suppressed."; empty if nobody was. */
export function leftOut({ counts }: Pick<Broadcast, "counts">): string {
  const parts = exclusionReasons.flatMap((reason) => {
    const count = counts.excluded[reason]
    return count ? `${formatNumber(count)} ${excluded[reason]}` : []
  })
  const total = excludedOf(counts)
  return total ? `${formatNumber(total)} ${total === 1 ? "was" : "were"} excluded: ${parts.join(", ")}.` : ""
}

/** What a cancellation does not take back. */
export function acceptedSoFar({ accepted }: Pick<Broadcast["counts"], "accepted">): string {
  if (accepted === 0) return "No email has been accepted yet."
  return `${countText(accepted, "email")} already accepted ${accepted === 1 ? "is" : "are"} still sent.`
}

/** "220 (57 excluded)" once it is sent, "120 of 277" before. */
export function sentTo({ status, counts }: Pick<Broadcast, "status" | "counts">): string {
  const accepted = formatNumber(counts.accepted)
  const total = excludedOf(counts)
  if (status === "sent") return total ? `${accepted} (${formatNumber(total)} excluded)` : accepted
  return counts.recipients === undefined ? accepted : `${accepted} of ${formatNumber(counts.recipients)}`
}

function excludedOf({ excluded: byReason }: Broadcast["counts"]): number {
  return exclusionReasons.reduce((sum, reason) => sum + byReason[reason], 0)
}

const paused: Record<NonNullable<Broadcast["pausedReason"]>, string> = {
  requested: "It was paused manually. Resume it to continue where it stopped.",
  bounces: "More than 5% of its emails bounced. Check where the addresses come from before you resume it.",
  complaints: "More than 0.3% of its readers marked it as spam. Check who is in the audience before you resume it.",
  project_suspended: "The project is suspended. Resume the project first, then the broadcast.",
  domain_not_verified: "The domain of the sender is no longer verified. Check its DNS records, then resume it.",
  storage_full:
    "The project stores as much as it may. Resume it when there is room; the settings show how much there is.",
  topic_deleted: "Its topic was deleted. To send it, duplicate it and choose another topic.",
  audience_deleted: "Its segments and topics were deleted. To send it, duplicate it and choose other recipients.",
  schedule_missed: "Its scheduled time passed more than 72 hours before it could begin. Resume it to send it now.",
}

/** Why it does not go on, in a sentence; null while it does. */
export function standstill({ status, pausedReason, waiting }: Broadcast): string | null {
  if (status === "paused") return paused[pausedReason ?? "requested"]
  if (waiting?.reason === "daily_quota")
    return "Today's quota is used up. It continues automatically when the quota resets."
  if (waiting?.reason === "segment_building")
    return "A segment of its audience is still being built. It starts automatically."
  if (waiting?.reason === "delivery_held")
    return "Much of its email waits for mail servers that accept little or none now. It continues automatically when that email has been sent."
  return null
}

/** How many of its recipients were processed, and how many there are; null before they are counted. */
export function progressOf({ counts }: Pick<Broadcast, "counts">): { done: number; of: number } | null {
  if (counts.recipients === undefined) return null
  const done = counts.accepted + excludedOf(counts)
  return { done: Math.min(done, counts.recipients), of: counts.recipients }
}

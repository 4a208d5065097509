import { parseAddress } from "@/lib/addresses/address"
import type { Progress } from "@/lib/broadcasts/held-store"
import type { Decision } from "@/lib/broadcasts/rules"
import type { Source } from "@/lib/broadcasts/sources"
import type { Met, Place } from "@/lib/broadcasts/walk"
import type { Candidate, Walk } from "@/lib/broadcasts/walk-sql"
import { accept } from "@/lib/emails/accept"
import type { Accepted } from "@/lib/emails/accept-sql"
import type { Send } from "@/lib/emails/admission"
import { broadcastSend, type BroadcastMail } from "@/lib/emails/broadcast-send"
import { encodeId } from "@/lib/platform/ids"

type Refused = Exclude<Accepted, { messages: unknown }>

/** What became of a group of people. */
export type Group = {
  /** How many were written to. */
  size: number
  counts: Omit<Progress, keyof Place>
  /** The position after the last recipient decided; null if there was none. */
  then: Place | null
  /** Why the next one was refused. */
  refused: Refused | null
}

/**
 * Accepts one email for each of these people who is to be written to, in their order up to the first that is refused: whoever
 * was accepted behind it is recognized when the walk meets them again.
 */
export async function acceptGroup(
  content: () => Promise<BroadcastMail | null>,
  walk: Walk,
  met: readonly Met[],
): Promise<Group> {
  const isWritten = met.some(({ decision }) => decision === "send")
  const mail = isWritten ? await content() : null
  if (isWritten && !mail) return { size: 0, counts: noneYet(), then: null, refused: { outcome: "storage_full" } }
  const sends = met.map((one) => (mail && one.decision === "send" ? sendOf(mail, walk, one) : null))
  const answers = await Promise.allSettled(sends.map((send) => send && accept(walk.projectId, send)))
  const group: Group = { size: sends.filter(Boolean).length, counts: noneYet(), then: null, refused: null }
  for (const [at, { candidate, decision, then }] of met.entries()) {
    const answer = answers[at]
    if (answer?.status === "rejected") {
      // Earlier results are kept; an error of the first send fails the whole group.
      if (!group.then) throw answer.reason
      return group
    }
    const accepted = answer?.value ?? null
    if (accepted && !("messages" in accepted)) return { ...group, refused: accepted }
    count(group.counts, accepted ? statusOf(accepted) : decision === "send" ? "suppressed" : decision, candidate)
    group.then = then
  }
  return group
}

/** Null for an address that cannot be written to, which counts as suppressed. */
function sendOf(mail: BroadcastMail, { id, topicId }: Walk, { candidate, source }: Met): Send | null {
  const { contactId, email } = candidate
  const to = source.kind === "address" ? source.address : parseAddress(email)
  if (!to.ok) return null
  const who = source.kind === "address" || contactId === null ? email : encodeId("con", contactId)
  return broadcastSend(mail, {
    key: `broadcast:${encodeId("bc", id)}:${who}`,
    to,
    topicId: topicId ?? (source.kind === "top" ? source.id : null),
    audienceId: publicIdOf(source),
  })
}

function publicIdOf(source: Source): string | null {
  return source.kind === "top" || source.kind === "seg" ? source.publicId : null
}

function statusOf({ messages }: Extract<Accepted, { messages: unknown }>): Decision {
  return messages[0]?.status === "suppressed" ? "suppressed" : "accepted"
}

function noneYet(): Group["counts"] {
  return { accepted: 0, unsubscribed: 0, suppressed: 0, topicOptOut: 0, joined: 0 }
}

function count(counts: Group["counts"], decision: Decision, { joined }: Candidate): void {
  if (decision === "skip" || decision === "send") return
  counts[decision] += 1
  if (joined) counts.joined += 1
}

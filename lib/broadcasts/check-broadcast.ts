import { parseAddress } from "@/lib/addresses/address"
import type { Content, Entry } from "@/lib/broadcasts/content-schema"
import { missingEntries, senderVerified } from "@/lib/broadcasts/check-store"
import { findStored } from "@/lib/broadcasts/store"
import { bytesOf } from "@/lib/emails/admission"
import { topicExists } from "@/lib/emails/audience-sql"
import { domainNotVerified, projectSuspended } from "@/lib/emails/problems"
import { scheduleFault } from "@/lib/emails/schedule"
import { decodeId } from "@/lib/platform/ids"
import type { FieldProblem } from "@/lib/platform/http/problem"
import { requestInvalid } from "@/lib/platform/http/problems"
import type { Scope } from "@/lib/platform/http/scope"
import { findProject } from "@/lib/projects/data"

type Given = { content: Content; to: readonly Entry[]; scheduledAt: Date | null }

/**
 * Checks what the form of a broadcast cannot show.
 * @returns the topic that it belongs to
 * @throws requestInvalid with every fault, requestTooLarge for attachments
 */
export async function checkBroadcast(
  scope: Scope,
  { content, to, scheduledAt }: Given,
  now: Date,
): Promise<string | null> {
  const faults: FieldProblem[] = []
  const late = scheduledAt && scheduleFault(scheduledAt, now)
  if (late) faults.push({ pointer: "/scheduledAt", detail: late })
  const topicId = content.topicId === undefined ? null : decodeId("top", content.topicId)
  if (content.topicId !== undefined && !(topicId && (await topicExists(scope, topicId))))
    faults.push({ pointer: "/topicId", detail: "Names no topic of this project." })
  for (const at of await missingEntries(scope, to)) {
    const detail = "Names no segment, topic or contact of this project."
    faults.push({ pointer: `/to/${at}`, detail })
  }
  if (faults.length)
    throw requestInvalid(faults.map(({ pointer, detail }) => `${pointer}: ${detail}`).join(" "), { errors: faults })
  bytesOf(content)
  return topicId
}

/** Whether the project may send from this domain now; a draft need not. @throws projectSuspended, domainNotVerified */
export async function checkSender(scope: Scope, domain: string): Promise<void> {
  // As it is now: what a key knows of its project may be some seconds old.
  if ((await findProject(scope))?.status !== "active") throw projectSuspended()
  if (!(await senderVerified(scope, domain))) throw domainNotVerified()
}

/** The same for a stored broadcast; one that does not exist is left to the step that follows. */
export async function checkStoredSender(scope: Scope, id: string): Promise<void> {
  const stored = await findStored(scope, id)
  const sender = stored && parseAddress(stored.from)
  if (sender?.ok) await checkSender(scope, sender.domain)
}

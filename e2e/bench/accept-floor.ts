import { accept } from "@/lib/emails/send/accept"
import { type Send, type Author, type Decided, messageRow, recipientRow } from "@/lib/emails/send/data"
import { type ComposedEmail, NewEmail } from "@/lib/emails/send/schema"
import { newId } from "@/lib/platform/ids"
import { callFor, type Load } from "@/e2e/bench/load"
import { message, nextNumber } from "@/e2e/bench/messages"
import type { World } from "@/e2e/bench/world"

/**
 * Sends a second that PostgreSQL takes: the product's accept, called in this process by a pool of the same size, without
 * HTTP, key, bucket and schema. The second baseline of a send.
 */
export function acceptFor(world: World, load: { connections: number; ms: number }): Promise<Load> {
  const email = NewEmail.parse(message(world.domain, 0)) as ComposedEmail
  return callFor(load, async () => {
    const { outcome } = await accept(world.projectId, newSend(email))
    if (outcome !== "accepted") throw new Error(`An accept of the load was refused: ${outcome}.`)
  })
}

const author: Author = { keyId: null, userId: null, requestId: null }
const decided: Decided = {
  ...{ bytes: 2_000, unsubscribe: false, topicId: null, audienceId: null, broadcastId: null, small: true },
}

/** A send of one message to a recipient of its own, as the accept takes it. */
export function newSend(email: ComposedEmail): Send {
  const [id, local, domain] = [newId(), `person${nextNumber()}`, "customers.example"]
  const address = `${local}@${domain}`
  const recipient = { ok: true as const, local, domain, address, canonical: address, role: "to" as const }
  const place = { id, idx: 0, groupId: id, group: [recipient], scheduledAt: null }
  return {
    ...{ key: newId(), domain: email.from.domain, free: false, large: null, bytes: 2_000, totalBytes: 2_000 },
    ...{ text: email.text, html: email.html },
    messages: [messageRow(author, email, decided, place)],
    recipients: [recipientRow(recipient, id, null)],
  }
}

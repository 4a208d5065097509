import { db } from "@/lib/platform/database/scoped-db"
import type { Scope } from "@/lib/platform/http/scope"
import type { Explanation, ExplainedRecipient } from "@/lib/explanation/schema"

type Journey = Pick<Explanation, "acceptedWith" | "signedAt"> & {
  /** What the sandbox received, by the id of the delivery. */
  copies: Map<string, NonNullable<ExplainedRecipient["sandboxCopy"]>>
}

/** What is known of an email's way besides its attempts and events. */
export async function findJourney(scope: Scope, emailId: string): Promise<Journey> {
  const [email, body, copies] = await Promise.all([
    db(scope).email.findUnique({ where: { id: emailId }, select: { keyId: true } }),
    db(scope).emailBody.findUnique({ where: { projectId_emailId: { emailId } }, select: { composedAt: true } }),
    db(scope).sandboxMessage.findMany({
      where: { emailId },
      select: { id: true, deliveryId: true, dkim: true, spf: true, dmarc: true },
      take: 1_000,
    }),
  ])
  const key = email?.keyId
    ? await db(scope).apiKey.findUnique({ where: { id: email.keyId }, select: { id: true, name: true } })
    : null
  return {
    ...(key ? { acceptedWith: { keyId: key.id, name: key.name ?? undefined } } : {}),
    ...(body?.composedAt ? { signedAt: body.composedAt } : {}),
    copies: new Map(copies.map(({ deliveryId, ...copy }) => [deliveryId, copy])),
  }
}

import { findQueueLimits } from "@/lib/delivery/destinations/data"
import { findOutages } from "@/lib/delivery/regions/data"
import type { EmailStatus } from "@/lib/emails/message-rules"
import { type Reason, reasonIn } from "@/lib/explanation/codes"
import type { ExplainedRecipient, Explanation } from "@/lib/explanation/schema"
import { databaseTime } from "@/lib/platform/database/clock-sql"
import { db } from "@/lib/platform/database/scoped-db"
import type { Scope } from "@/lib/platform/http/scope"
import { sendRateOf } from "@/lib/projects/quota/data"

/** What decides about an email besides its deliveries. */
export type Circumstances = {
  email: {
    id: string
    status: EmailStatus
    to: string[]
    reason: Reason | null
    testMode: boolean
    scheduledAt: Date | null
    giveUpAfter: number | null
    createdAt: Date
    updatedAt: Date
  }
  /** Region, canonical address and reason of each delivery, by its id. */
  routes: Map<string, DeliveryRoute>
  /** The name of its topic. */
  topic: string | undefined
  /** Routes whose relay is unreachable, or refuses every email. */
  down: Map<string, "region" | "refusing">
  suspended: boolean
  /** Messages a second. */
  rate: number
  now: Date
}

type DeliveryRoute = {
  region: string
  canonical: string
  reason: Reason | null
  /** Attempts that were charged to it; they are no longer stored where it is old. */
  attempts: number
  /** What limits the destination in whose queue it waits. */
  limit: Reason<"destination"> | null
}

/** Null when there is no such email. */
export async function findCircumstances(scope: Scope, emailId: string): Promise<Circumstances | null> {
  const [email, routes, outages, rate, now] = await Promise.all([
    db(scope).email.findUnique({ where: { id: emailId }, select: shape }),
    db(scope).delivery.findMany({
      where: { emailId },
      select: {
        ...{ id: true, region: true, canonical: true, reason: true, reasonFacts: true },
        ...{ attemptCount: true, queueId: true, dueAt: true },
      },
      orderBy: { id: "asc" },
      take: 1_000,
    }),
    findOutages(),
    sendRateOf(scope),
    databaseTime(),
  ])
  if (!email || rate === null) return null
  const { status, toHeaders, topicId, reason, reasonFacts, ...row } = email
  const topic = topicId ? await db(scope).topic.findUnique({ where: { id: topicId }, select: { name: true } }) : null
  const waiting = routes.flatMap(({ queueId, dueAt }) => (queueId !== null && dueAt !== null ? queueId : []))
  const limits = await findQueueLimits([...new Set(waiting)])
  return {
    // Whoever writes it takes it from `emailStatuses`.
    email: { ...row, status: status as EmailStatus, to: toHeaders, reason: reasonIn({ reason, reasonFacts }) },
    routes: new Map(
      routes.map(({ id, region, canonical, queueId, dueAt, attemptCount: attempts, ...stored }) => {
        const facts = dueAt === null ? undefined : limits.get(queueId ?? 0)
        const limit = facts ? ({ code: "destination", facts } as const) : null
        return [id, { region, canonical, reason: reasonIn(stored), attempts, limit }]
      }),
    ),
    topic: topic?.name,
    down: new Map(outages.map(({ route, refusing }) => [route, refusing === null ? "region" : "refusing"])),
    suspended: scope.project.suspended,
    rate,
    now,
  }
}

const shape = {
  id: true,
  status: true,
  toHeaders: true,
  topicId: true,
  reason: true,
  reasonFacts: true,
  testMode: true,
  scheduledAt: true,
  giveUpAfter: true,
  createdAt: true,
  updatedAt: true,
} as const

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

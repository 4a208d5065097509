import type { Attempt, Delivery } from "@/lib/emails/delivery-schema"
import { isFailureReason, reasonIn, type StoredReason } from "@/lib/explanation/codes"
import { reasonSentence, topicOptOutWords } from "@/lib/explanation/words"
import { db } from "@/lib/platform/database/scoped-db"
import { shown } from "@/lib/platform/database/shape"
import type { Scope } from "@/lib/platform/http/scope"
import { present } from "@/lib/platform/schema"
import type { Subscription } from "@/lib/consent/rules"
import { topicOptOut } from "@/lib/topics/rules"
import type { Prisma } from "@/prisma/generated/client"

const deliveryShape = {
  ...{ id: true, projectId: false, emailId: false, region: false, role: true, address: true, canonical: false },
  ...{ status: true, suppressedBy: true, attempt: false, attemptCount: false, unfinished: false, dataAttempt: false },
  ...{ dueAt: true, firstAttemptAt: false, sentAt: true, deliveredAt: true, endedAt: true, bounceType: true },
  ...{ bounceCode: true, diagnostic: true, reason: true, reasonFacts: true, createdAt: false, updatedAt: false },
} as const satisfies Record<Prisma.DeliveryScalarFieldEnum, boolean>

const attemptShape = {
  ...{ id: true, projectId: false, emailId: false, deliveryId: true, attempt: true, outcome: true, phase: true },
  ...{ code: true, enhanced: true, text: true, remote: true, tls: true, conversation: true, startedAt: true },
  ...{ endedAt: true },
} as const satisfies Record<Prisma.DeliveryAttemptScalarFieldEnum, boolean>

type DeliveryRow = Prisma.DeliveryGetPayload<{ select: typeof deliveryShape }>
type AttemptRow = Prisma.DeliveryAttemptGetPayload<{ select: typeof attemptShape }>

/** Attempts that one delivery shows, its newest. */
const attemptsShown = 100

/** Deliveries of one email with their attempts. Null when there is no such email. */
export async function findDeliveries(scope: Scope, emailId: string): Promise<Delivery[] | null> {
  const [email, deliveries, attempts] = await Promise.all([
    db(scope).email.findUnique({ where: { id: emailId }, select: { topicId: true } }),
    db(scope).delivery.findMany({ where: { emailId }, select: deliveryShape, orderBy: { id: "asc" }, take: 1_000 }),
    db(scope).deliveryAttempt.findMany({
      where: { emailId },
      select: attemptShape,
      orderBy: { id: "asc" },
      take: 5_000,
    }),
  ])
  if (!email) return null
  const optedOut = deliveries.some(({ suppressedBy }) => suppressedBy === topicOptOut)
  const sentence = optedOut && email.topicId !== null ? await optOutSentence(scope, email.topicId) : undefined
  const attemptsOf = (id: string) => attempts.filter(({ deliveryId }) => deliveryId === id)
  return deliveries.map((row) => toDelivery(row, attemptsOf(row.id), sentence))
}

/** The topic may have been deleted since: it names itself as long as its row exists. */
async function optOutSentence(scope: Scope, topicId: string): Promise<string | undefined> {
  const select = { name: true, defaultSubscription: true }
  const topic = await db(scope).topic.findUnique({ where: { id: topicId }, select })
  if (!topic) return undefined
  return topicOptOutWords({ topic: topic.name, byDefault: topic.defaultSubscription as Subscription })
}

function toDelivery(
  { dueAt, reason, reasonFacts, ...row }: DeliveryRow,
  attempts: AttemptRow[],
  optedOut: string | undefined,
): Delivery {
  return shown<Delivery>()({
    ...row,
    role: row.role as Delivery["role"],
    attempts: attempts.slice(-attemptsShown).map(toAttempt),
    nextAttemptAt: row.endedAt ? undefined : present(dueAt),
    bounceType: present(row.bounceType),
    bounceCode: present(row.bounceCode),
    diagnostic: present(row.diagnostic) ?? failureIn({ reason, reasonFacts }),
    suppressedBy: present(row.suppressedBy),
    suppressedDetail: row.suppressedBy === topicOptOut ? optedOut : undefined,
    sentAt: present(row.sentAt),
    deliveredAt: present(row.deliveredAt),
    endedAt: present(row.endedAt),
  })
}

/** A failure without a server's reply tells its own reason. */
function failureIn(stored: StoredReason): string | undefined {
  const reason = reasonIn(stored)
  return isFailureReason(reason) ? reasonSentence(reason) : undefined
}

function toAttempt({ deliveryId: _, ...row }: AttemptRow): Attempt {
  return shown<Attempt>()({
    ...row,
    phase: present(row.phase),
    code: present(row.code),
    enhanced: present(row.enhanced),
    text: present(row.text),
    remote: present(row.remote),
    tls: present(row.tls),
    conversation: row.conversation?.split("\n"),
    endedAt: present(row.endedAt),
  })
}

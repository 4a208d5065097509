import { findOutages } from "@/lib/delivery/regions/outage-sql"
import type { EmailStatus } from "@/lib/emails/message-rules"
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
    error: string | null
    testMode: boolean
    scheduledAt: Date | null
    giveUpAfter: number | null
    createdAt: Date
    updatedAt: Date
  }
  /** Region and canonical address of each delivery, by its id. */
  routes: Map<string, { region: string; canonical: string }>
  /** Routes whose relay is unreachable, or refuses every email. */
  down: Map<string, "region" | "refusing">
  suspended: boolean
  /** Messages a second. */
  rate: number
  now: Date
}

/** Null when there is no such email. */
export async function findCircumstances(scope: Scope, emailId: string): Promise<Circumstances | null> {
  const [email, routes, outages, rate, now] = await Promise.all([
    db(scope).email.findUnique({ where: { id: emailId }, select: shape }),
    db(scope).delivery.findMany({
      where: { emailId },
      select: { id: true, region: true, canonical: true },
      orderBy: { id: "asc" },
      take: 1_000,
    }),
    findOutages(),
    sendRateOf(scope),
    databaseTime(),
  ])
  if (!email || rate === null) return null
  const { status, toHeaders, ...row } = email
  return {
    // Whoever writes it takes it from `emailStatuses`.
    email: { ...row, status: status as EmailStatus, to: toHeaders },
    routes: new Map(routes.map(({ id, ...route }) => [id, route])),
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
  error: true,
  testMode: true,
  scheduledAt: true,
  giveUpAfter: true,
  createdAt: true,
  updatedAt: true,
} as const

import type { z } from "zod"
import { databaseTime } from "@/lib/platform/database/clock-sql"
import { db } from "@/lib/platform/database/scoped-db"
import { lastHours, rowsOfHours } from "@/lib/platform/hours"
import type { Scope } from "@/lib/platform/http/scope"
import { present } from "@/lib/platform/schema"
import type { WebhookHealth, WebhookHealthDetail } from "@/lib/webhooks/health-schema"
import { healthOf, webhookLatency, type HealthRow } from "@/lib/webhooks/health-sql"
import type { Webhook } from "@/lib/webhooks/schema"

/** Webhooks with their health. */
export async function withHealth(scope: Scope, webhooks: readonly Webhook[]): Promise<Webhook[]> {
  if (!webhooks.length) return []
  const rows = await healthOf(
    scope,
    webhooks.map(({ id }) => id),
  )
  const known = new Map(rows.map((row) => [row.id, toHealth(row)]))
  return webhooks.map((webhook) => ({ ...webhook, health: known.get(webhook.id) }))
}

/** Null when there is no such webhook. */
export async function healthDetail(scope: Scope, id: string): Promise<z.output<typeof WebhookHealthDetail> | null> {
  const [[row], hours, { sample, p50Ms, p95Ms }] = await Promise.all([
    healthOf(scope, [id]),
    hoursOf(scope, id),
    webhookLatency(scope, id),
  ])
  const latency = p50Ms === null || p95Ms === null ? undefined : { sample, p50Ms, p95Ms }
  return row ? { ...toHealth(row), hours, latency } : null
}

/** Every hour of the last day, also those without deliveries. */
async function hoursOf(scope: Scope, webhookId: string): Promise<z.output<typeof WebhookHealthDetail>["hours"]> {
  const hours = lastHours(await databaseTime())
  const rows = await db(scope).webhookHour.findMany({
    where: { webhookId, hour: { in: hours } },
    select: { hour: true, firstSucceeded: true, firstFailed: true },
  })
  return rowsOfHours(hours, rows, { firstSucceeded: 0, firstFailed: 0 })
}

function toHealth({ id: _, nextAttemptAt, lastSuccessAt, lastFailureAt, ...figures }: HealthRow): WebhookHealth {
  return {
    ...figures,
    nextAttemptAt: present(nextAttemptAt),
    lastSuccessAt: present(lastSuccessAt),
    lastFailureAt: present(lastFailureAt),
  }
}

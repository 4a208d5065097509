import { Prisma } from "@/prisma/generated/client"

/** How many sends the bucket of a project p holds, as `accept_emails` reckons it. */
export const bucketSize = Prisma.sql`greatest(100, 20 * p.per_second_sends)`

/** What an organization and a project may still send; `day` is the UTC day and `now` the time of the transaction. */
export type Allowance = {
  organizationId: string
  used: number
  daily: number
  tokens: number
  rate: number
  day: Date
  now: Date
}

/**
 * Locks the organization's day, which is added where it is missing, then the project's bucket: in the same order as
 * `accept_emails`. Raw, because Prisma has no row locks.
 */
export async function lockAllowance(projectId: string, tx: Prisma.TransactionClient): Promise<Allowance | null> {
  const [allowance] = await tx.$queryRaw<Allowance[]>`
    WITH today AS (
      INSERT INTO quota_days AS q (organization_id, day)
        SELECT organization_id, (now() AT TIME ZONE 'UTC')::date FROM projects WHERE id = ${projectId}::uuid
        ON CONFLICT (organization_id, day) DO UPDATE SET used = q.used RETURNING q.organization_id, q.day, q.used
    )
    SELECT t.organization_id AS "organizationId", t.day, t.used, o.daily_sends AS daily, p.per_second_sends AS rate,
        now()::timestamptz(3) AS now, least(${bucketSize}, a.tokens
          + greatest(0, extract(epoch FROM now()::timestamptz(3) - a.refilled_at))::float8 * p.per_second_sends) AS tokens
      FROM today t JOIN organizations o ON o.id = t.organization_id JOIN projects p ON p.id = ${projectId}::uuid
      JOIN send_allowances a ON a.project_id = p.id FOR UPDATE OF a`
  return allowance ?? null
}

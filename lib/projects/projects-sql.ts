import { unscoped } from "@/lib/platform/database/db"
import type { Scope } from "@/lib/platform/http/scope"
import type { Prisma } from "@/prisma/generated/client"

type Tx = Prisma.TransactionClient

export type Used = { dailySends: number; maxDomains: number; maxApiKeys: number; maxWebhooks: number }

/** How much of its limits a project uses now. Raw, because the UTC day and expired keys go by the database's clock. */
export async function usedOf(scope: Scope): Promise<Used> {
  const { id, organizationId } = scope.project
  const [row] = await unscoped().$queryRaw<Used[]>`
    SELECT
      coalesce((SELECT used FROM quota_days
        WHERE organization_id = ${organizationId}::uuid AND day = (now() AT TIME ZONE 'UTC')::date), 0) AS "dailySends",
      (SELECT count(*)::int FROM domains WHERE project_id = ${id}::uuid) AS "maxDomains",
      (SELECT count(*)::int FROM api_keys WHERE project_id = ${id}::uuid AND revoked_at IS NULL
        AND (expires_at IS NULL OR expires_at > now())) AS "maxApiKeys",
      (SELECT count(*)::int FROM webhooks WHERE project_id = ${id}::uuid AND deleted_at IS NULL) AS "maxWebhooks"`
  return row ?? { dailySends: 0, maxDomains: 0, maxApiKeys: 0, maxWebhooks: 0 }
}

/** Marks the set-up as complete; its link no longer works. Raw, because Prisma cannot write the database's time. */
export async function completeSetUp(tx: Tx): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO installation (id, completed_at) VALUES (1, now())
      ON CONFLICT (id) DO UPDATE SET completed_at = coalesce(installation.completed_at, now()), setup_token_hash = NULL`
}

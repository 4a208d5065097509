import type { Scope } from "@/lib/platform/http/scope"
import type { Prisma } from "@/prisma/generated/client"

/**
 * Changes of members and invites wait for each other at the organization's row. Raw, because Prisma has no row locks.
 */
export async function lockOrganization(scope: Scope, tx: Prisma.TransactionClient): Promise<void> {
  await tx.$queryRaw`SELECT 1 FROM organizations WHERE id = ${scope.organization.id}::uuid FOR NO KEY UPDATE`
}

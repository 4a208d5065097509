import type { Prisma } from "@/prisma/generated/client"

type Tx = Prisma.TransactionClient

/** Parallel set-ups wait for each other at the installation's row. Raw, because Prisma has no row locks. */
export async function lockInstallation(tx: Tx): Promise<void> {
  await tx.$queryRaw`SELECT 1 FROM installation WHERE id = 1 FOR UPDATE`
}

/** Marks the set-up as complete; its link no longer works. Raw, because Prisma cannot write the database's time. */
export async function completeSetUp(tx: Tx): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO installation (id, completed_at) VALUES (1, now())
      ON CONFLICT (id) DO UPDATE SET completed_at = coalesce(installation.completed_at, now()), setup_token_hash = NULL`
}

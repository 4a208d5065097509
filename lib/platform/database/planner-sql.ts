import { rowsOf, type Connection } from "@/lib/platform/database/connection"
import { Prisma } from "@/prisma/generated/client"

type Way = "seqscan" | "hashjoin" | "mergejoin" | "nestloop"

/** Has the planner avoid these ways until the transaction ends. Raw, because Prisma does not set how a statement is planned. */
export async function avoid(ways: readonly Way[], on: Connection): Promise<void> {
  await rowsOf(on, Prisma.sql`SELECT set_config('enable_' || way, 'off', true) FROM unnest(${ways}::text[]) AS way`)
}

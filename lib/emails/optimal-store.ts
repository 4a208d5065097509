import { db } from "@/lib/platform/database/scoped-db"
import type { Scope } from "@/lib/platform/http/scope"

/** How often recipients opened emails in each hour of the day (UTC), by canonical address; who never did is absent. */
export async function findOpeningHours(scope: Scope, addresses: readonly string[]): Promise<Map<string, number[]>> {
  const rows = await db(scope).openingHours.findMany({
    where: { email: { in: [...addresses] } },
    select: { email: true, hours: true },
  })
  return new Map(rows.map(({ email, hours }) => [email, hours]))
}

import { databaseTime } from "@/lib/platform/database/clock-sql"
import { db, type InProject } from "@/lib/platform/database/scoped-db"
import { lastHours, rowsOfHours } from "@/lib/platform/hours"

export type UsageHour = { hour: Date; requests: number; refused: number }

/** The current hour of a key and the 23 before it, oldest first, also those without requests. */
export async function usageHours(scope: InProject, keyId: string): Promise<UsageHour[]> {
  const hours = lastHours(await databaseTime())
  const rows = await db(scope).apiKeyHour.findMany({
    where: { keyId, hour: { in: hours } },
    select: { hour: true, requests: true, refused: true },
  })
  return rowsOfHours(hours, rows, { requests: 0, refused: 0 })
}

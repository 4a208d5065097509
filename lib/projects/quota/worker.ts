import { log } from "@/lib/platform/log"
import { quotaCrossings, tellOfQuota } from "@/lib/projects/quota/data"

const batchMax = 100

/**
 * Tells owners who have used 80 percent of today's quota or all of it, once each. A pass of the worker rather than a part of a
 * send, so that sends cost nothing more.
 * @returns whether there may be more
 */
export async function tellOfQuotas(): Promise<boolean> {
  const crossings = await quotaCrossings(batchMax)
  let told = 0
  for (const crossing of crossings) {
    try {
      await tellOfQuota(crossing)
      told += 1
    } catch (error) {
      log.error(
        { err: error, organizationId: crossing.organizationId },
        "a notice about a quota failed; it comes later",
      )
    }
  }
  return crossings.length === batchMax && told > 0
}

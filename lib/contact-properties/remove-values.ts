import type { Clock } from "@/lib/platform/clock"
import * as properties from "@/lib/contact-properties/removal-sql"

const batch = 2_000
const first = "00000000-0000-0000-0000-000000000000"

/**
 * Removes the values of deleted properties, the given one or all that wait, for at most `budgetMs`; what is left is
 * taken up by the next call.
 * @returns whether something is left
 */
export async function removeValues(clock: Clock, budgetMs: number, id?: string): Promise<boolean> {
  const until = clock.now().getTime() + budgetMs
  for (const property of await properties.hiddenProperties(id)) {
    let after: string | null = first
    while (after !== null) {
      if (clock.now().getTime() >= until) return true
      after = await properties.removeValues(property, after, batch)
    }
  }
  return false
}

import type { Clock } from "@/lib/platform/clock"
import { deleteProperty, hiddenProperties } from "@/lib/contact-properties/removal-store"
import * as values from "@/lib/contacts/properties/values-sql"

const batch = 2_000
const first = "00000000-0000-0000-0000-000000000000"

/**
 * Removes the values of deleted properties, the given one or all that wait, for at most `budgetMs`; what is left is
 * taken up by the next call.
 * @returns whether something is left
 */
export async function removeValues(clock: Clock, budgetMs: number, id?: string): Promise<boolean> {
  const until = clock.now().getTime() + budgetMs
  for (const property of await hiddenProperties(id)) {
    let after: string | null = first
    while (after !== null) {
      if (clock.now().getTime() >= until) return true
      after = await values.removeValues(property, after, batch)
    }
    await deleteProperty(property)
  }
  return false
}

import { hiddenSegments, removeBatch } from "@/lib/segments/removal-store"

/** Members of one transaction: so long may a change of one of these contacts have to wait. */
const batch = 2_000

/**
 * Removes the members of deleted segments, of the given one or of all that wait, for about `budgetMs`.
 * @returns whether something is left, for the next call to take up
 */
export async function removeMembers(budgetMs: number, id?: string): Promise<boolean> {
  const endsAt = performance.now() + budgetMs
  for (const segment of await hiddenSegments(id)) {
    while (await removeBatch(segment, batch)) {
      if (performance.now() >= endsAt) return true
    }
  }
  return false
}

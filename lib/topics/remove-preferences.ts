import type { Clock } from "@/lib/platform/clock"
import * as topics from "@/lib/topics/removal-store"

const batch = 5_000

/**
 * Removes the preferences of deleted topics, of the given one or of all that wait, for at most `budgetMs`.
 * @returns whether something is left, for the next call to take up
 */
export async function removePreferences(clock: Clock, budgetMs: number, id?: string): Promise<boolean> {
  const until = clock.now().getTime() + budgetMs
  for (const topic of await topics.hiddenTopics(id)) {
    while (await topics.removeBatch(topic, batch)) {
      if (clock.now().getTime() >= until) return true
    }
  }
  return false
}

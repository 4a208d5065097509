import type { EmailFilter } from "@/lib/emails/log-conditions-sql"
import { wordsOf } from "@/lib/emails/search/fold-rules"
import { searchEmails, type Match } from "@/lib/emails/search/search-sql"
import type { Scope } from "@/lib/platform/http/scope"

/** A search lists and counts the newest matches up to here. */
export const matchesMax = 1_000

/** How long counting continues after the page is complete, and how long the search for the page may take. */
const countMs = 40
const searchMs = 2_000

export type SearchResult = {
  /** Newest first, at most `matchesMax`. */
  matches: Match[]
  /** Whether these are all. */
  complete: boolean
  /** Where the search ran out of time before it found as many as were asked for. */
  reached: string | null
}

/** The newest matches: `wanted` of them, and more as long as they take little time. */
export async function search(scope: Scope, filter: EmailFilter, wanted: number): Promise<SearchResult> {
  const startedAt = performance.now()
  const matches: Match[] = []
  for await (const found of searchEmails(scope, wordsOf(filter.search ?? ""), filter)) {
    matches.push(...found.matches)
    const took = performance.now() - startedAt
    const enough = matches.length >= Math.min(wanted, matchesMax)
    if (found.reached === null) break
    if (matches.length >= matchesMax || (enough && took > countMs))
      return { matches: matches.slice(0, matchesMax), complete: false, reached: null }
    if (took > searchMs) return { matches, complete: false, reached: found.reached }
  }
  return { matches: matches.slice(0, matchesMax), complete: matches.length <= matchesMax, reached: null }
}

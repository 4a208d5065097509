import { decide, type Decision } from "@/lib/broadcasts/rules"
import type { Source } from "@/lib/broadcasts/sources"
import { namedCandidate, nextMembers, type Candidate, type Walk } from "@/lib/broadcasts/walk-sql"

/** Where a walk is: behind this contact of this entry. */
export type Place = { position: number; cursor: string | null }

/** A recipient that the walk has reached, the decision, and the position after it. */
export type Met = { candidate: Candidate; source: Source; decision: Decision; then: Place }

/** People of one statement. */
const pageMax = 200

/** The next people, and where the walk is behind them all; null at the end of all entries. */
export async function nextPage(
  walk: Walk,
  sources: readonly Source[],
  { position, cursor }: Place,
): Promise<{ met: Met[]; behind: Place } | null> {
  const source = sources[position]
  if (!source) return null
  const next = { position: position + 1, cursor: null }
  const isNamed = source.kind === "contact" || source.kind === "address"
  if (isNamed) {
    const candidate = await namedCandidate(walk, sources, position)
    return { met: candidate ? [{ candidate, source, decision: decide(candidate), then: next }] : [], behind: next }
  }
  const page = await nextMembers(walk, { sources, position, cursor }, pageMax)
  const met = page.map((candidate) => ({
    ...{ candidate, source, decision: decide(candidate) },
    then: { position, cursor: candidate.contactId },
  }))
  return { met, behind: page.length < pageMax ? next : { position, cursor: page.at(-1)?.contactId ?? cursor } }
}

/** As many of these people, in their order, as there is room to write to. */
export function within(met: readonly Met[], room: number): Met[] {
  let sends = 0
  const end = met.findIndex(({ decision }) => decision === "send" && ++sends > room)
  return end === -1 ? [...met] : met.slice(0, end)
}

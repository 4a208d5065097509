import type { EventRow } from "@/lib/stream/event-sql"

/** The events that a reader wants; the same list where it wants them all. */
export function wantedBy(
  { broadcastId }: { broadcastId: string | null },
  rows: readonly EventRow[],
): readonly EventRow[] {
  return broadcastId === null ? rows : rows.filter((row) => row.broadcastId === broadcastId)
}

/** Events by their project, in their order. */
export function byProject(rows: readonly EventRow[]): Map<string, EventRow[]> {
  const groups = new Map<string, EventRow[]>()
  for (const row of rows) {
    const group = groups.get(row.projectId)
    if (group) group.push(row)
    else groups.set(row.projectId, [row])
  }
  return groups
}

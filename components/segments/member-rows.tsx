import { useVirtualizer } from "@tanstack/react-virtual"
import { useEffect, useRef } from "react"
import { MemberRow, type Member } from "./member-row"
import type { Segment } from "./queries"

const rowPixels = 45

type MemberRowsProps = { projectId: string; segment: Segment; rows: Member[]; more: boolean; loading: boolean; onEnd: () => void }

/** Any number of members, of which only those in sight exist. `onEnd` when the last of them comes into sight. */
export function MemberRows({ projectId, segment, rows, more, loading, onEnd }: MemberRowsProps) {
  const frame = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: rows.length + Number(more),
    getScrollElement: () => frame.current,
    estimateSize: () => rowPixels,
    getItemKey: (index) => rows[index]?.contactId ?? "more",
    overscan: 12,
  })
  const items = virtual.getVirtualItems()
  const last = items.at(-1)?.index ?? 0
  const atEnd = more && !loading && last >= rows.length - 1
  useEffect(() => {
    if (atEnd) onEnd()
    // Only when the end comes into sight, not for each new function.
  }, [atEnd]) // eslint-disable-line react-hooks/exhaustive-deps

  return (
    <div ref={frame} tabIndex={0} role="region" aria-label="Members, newest first" className="max-h-[min(640px,70dvh)] overflow-y-auto -outline-offset-2">
      <ul className="relative" style={{ height: virtual.getTotalSize() }}>
        {items.map(({ index, key, start }) => {
          const member = rows[index]
          return (
            <li key={key} className="absolute inset-x-0 top-0" style={{ transform: `translateY(${start}px)` }}>
              {member ? <MemberRow projectId={projectId} segment={segment} member={member} /> : <p className="px-4 py-3 text-muted">Loading more …</p>}
            </li>
          )
        })}
      </ul>
    </div>
  )
}

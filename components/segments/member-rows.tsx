import { useRef } from "react"
import { EndlessFrame, RestNote, type EndlessRest } from "@/components/ui/endless"
import { useEndless } from "@/components/ui/use-endless"
import { MemberRow, type SegmentMember } from "@/components/segments/member-row"
import type { Segment } from "@/components/segments/queries"

const rowPixels = 45

type MemberRowsProps = { projectId: string; segment: Segment; members: SegmentMember[]; rest: EndlessRest }

/** Any number of members, of which only those in sight exist. */
export function MemberRows({ projectId, segment, members, rest }: MemberRowsProps) {
  const frame = useRef<HTMLDivElement>(null)
  const { items, height, measure } = useEndless({
    frame,
    keys: members.map(({ contactId }) => contactId),
    rowPixels,
    rest,
  })
  return (
    <EndlessFrame label="Members, newest first" frame={frame}>
      <ul className="relative" style={{ height }}>
        {items.map(({ index, key, start }) => {
          const member = members[index]
          return (
            <li
              key={key}
              ref={measure}
              data-index={index}
              aria-posinset={index + 1}
              aria-setsize={Math.max(segment.contactCount, members.length)}
              className="absolute inset-x-0 top-0"
              style={{ transform: `translateY(${start}px)` }}
            >
              {member ? <MemberRow projectId={projectId} segment={segment} member={member} /> : <RestNote {...rest} />}
            </li>
          )
        })}
      </ul>
    </EndlessFrame>
  )
}

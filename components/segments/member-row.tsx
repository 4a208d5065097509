import Link from "next/link"
import type { MemberPage, Segment } from "@/components/segments/queries"
import { RemoveMember } from "@/components/segments/remove-member"

export type Member = MemberPage["data"][number]

type MemberRowProps = { projectId: string; segment: Segment; member: Member }

export function MemberRow({ projectId, segment, member }: MemberRowProps) {
  const { contactId, email, firstName, lastName } = member
  return (
    <div className="flex h-[45px] items-center gap-4 border-b border-line pr-2 pl-4 hover:bg-sunken">
      <Link
        data-row
        href={`/projects/${projectId}/contacts/${contactId}`}
        prefetch={false}
        className="flex min-w-0 flex-1 gap-3 rounded-sm"
      >
        <span className="truncate font-medium">{email}</span>
        <span className="truncate text-muted">{[firstName, lastName].filter(Boolean).join(" ")}</span>
      </Link>
      <RemoveMember projectId={projectId} segment={segment} contactId={contactId} email={email} />
    </div>
  )
}

"use client"

import { useQuery } from "@tanstack/react-query"
import { ShortTime } from "@/components/data/clock-time"
import { repliesQuery } from "@/components/inbound/queries"
import { senderOf } from "@/components/inbound/words"
import { Card, CardHeader } from "@/components/ui/card"
import { TextLink } from "@/components/ui/text"

/** The replies that an email got by the project's inbound routes. Nothing if it got none. */
export function Replies({ projectId, emailId }: { projectId: string; emailId: string }) {
  const { data } = useQuery(repliesQuery(projectId, emailId))
  if (!data || data.data.length === 0) return null
  return (
    <Card aria-label="Replies">
      <CardHeader title="Replies" />
      <ul className="divide-y divide-line">
        {data.data.map((reply) => (
          <li key={reply.id} className="flex items-baseline justify-between gap-4 px-4 py-2.5">
            <span className="min-w-0 truncate">
              <TextLink href={`/projects/${projectId}/inbound/${reply.id}`}>{reply.subject ?? "(no subject)"}</TextLink>{" "}
              <span className="text-muted">from {senderOf(reply)}</span>
            </span>
            <ShortTime at={reply.receivedAt} />
          </li>
        ))}
      </ul>
    </Card>
  )
}

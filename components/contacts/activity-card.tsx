"use client"

import { useQuery } from "@tanstack/react-query"
import Link from "next/link"
import { LoadError } from "@/components/data/load-error"
import { Card, CardHeader } from "@/components/ui/card"
import { RelativeTime } from "@/components/ui/relative-time"
import { SkeletonRows } from "@/components/ui/skeleton"
import { Timeline, TimelineItem } from "@/components/ui/timeline"
import { activityQuery, type Activity } from "@/components/contacts/queries"
import type { Tone } from "@/components/ui/pill"

const refreshMs = 10_000

/** The last ten things that happened, newest first. */
export function ActivityCard({ projectId, contactId }: { projectId: string; contactId: string }) {
  const { data, error, refetch } = useQuery({ ...activityQuery(projectId, contactId), refetchInterval: refreshMs })
  return (
    <Card aria-label="Activity">
      <CardHeader title="Activity" />
      {data ? (
        <Timeline label="Activity">
          {data.map((activity) => (
            <TimelineItem
              key={activity.id}
              {...activityWords(activity)}
              detail={<Detail projectId={projectId} activity={activity} />}
              time={<RelativeTime at={activity.occurredAt} className="text-sm" />}
            />
          ))}
        </Timeline>
      ) : error ? (
        <LoadError error={error} onRetry={() => void refetch()} />
      ) : (
        <SkeletonRows rows={4} label="Loading the activity" />
      )}
    </Card>
  )
}

function Detail({ projectId, activity }: { projectId: string; activity: Activity }) {
  const href = activityHref(projectId, activity)
  if (!activity.referenceName) return null
  return href ? (
    <Link href={href} className="hover:underline">
      {activity.referenceName}
    </Link>
  ) : (
    activity.referenceName
  )
}

const words: Record<string, { title: string; tone: Tone }> = {
  email_sent: { title: "Email sent", tone: "wait" },
  email_delivered: { title: "Email delivered", tone: "good" },
  email_opened: { title: "Email opened", tone: "good" },
  email_clicked: { title: "Link clicked", tone: "good" },
  email_bounced: { title: "Email bounced", tone: "bad" },
  email_complained: { title: "Complained about an email", tone: "bad" },
  contact_created: { title: "Contact added", tone: "wait" },
  segment_added: { title: "Added to segment", tone: "wait" },
  segment_removed: { title: "Removed from segment", tone: "wait" },
  topic_subscribed: { title: "Subscribed to topic", tone: "good" },
  topic_unsubscribed: { title: "Left topic", tone: "warn" },
  suppression_added: { title: "Suppressed", tone: "warn" },
  suppression_removed: { title: "No longer suppressed", tone: "wait" },
}

function activityWords(activity: Activity): { title: string; tone: Tone } {
  return words[activity.type] ?? { title: activity.type, tone: "wait" }
}

/** Where an entry links to; the page says if it was deleted. */
function activityHref(projectId: string, { type, referenceId }: Activity): string | null {
  if (!referenceId) return null
  if (type.startsWith("email_")) return `/projects/${projectId}/emails/${referenceId}`
  if (type.startsWith("segment_")) return `/projects/${projectId}/segments/${referenceId}`
  return type.startsWith("topic_") ? `/projects/${projectId}/topics/${referenceId}` : null
}

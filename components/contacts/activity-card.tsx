"use client"

import { useQuery } from "@tanstack/react-query"
import Link from "next/link"
import { LoadError } from "@/components/emails/load-error"
import { Card, CardHeader } from "@/components/ui/card"
import { RelativeTime } from "@/components/ui/relative-time"
import { SkeletonRows } from "@/components/ui/skeleton"
import { Timeline, TimelineItem } from "@/components/ui/timeline"
import { activityHref, activityWords } from "@/components/contacts/activity-words"
import { activityQuery, type Activity } from "@/components/contacts/queries"

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

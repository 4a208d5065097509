"use client"

import { useQuery } from "@tanstack/react-query"
import { dynamic } from "@/components/ui/dynamic"
import { BroadcastActions } from "@/components/broadcasts/broadcast-actions"
import { BroadcastProgress } from "@/components/broadcasts/broadcast-progress"
import { BroadcastResults } from "@/components/broadcasts/broadcast-results"
import { broadcastQuery } from "@/components/broadcasts/queries"
import { broadcastWords } from "@/components/broadcasts/words"
import { PageNotLoaded } from "@/components/data/load-error"
import { Card, CardHeader } from "@/components/ui/card"
import { PageHeader } from "@/components/ui/page-header"
import { Pill } from "@/components/ui/pill"
import { RelativeTime } from "@/components/ui/relative-time"
import { Skeleton } from "@/components/ui/skeleton"

const Preview = dynamic(() => import("@/components/emails/preview").then((module) => module.Preview), {
  ssr: false,
  loading: () => <Skeleton className="m-4 h-60" />,
})

const soonMs = 1_500
const laterMs = 15_000

/** One message to many people: how far it is, what became of it, and what it says. */
export function BroadcastDetail({ projectId, broadcastId }: { projectId: string; broadcastId: string }) {
  const read = useQuery({
    ...broadcastQuery(projectId, broadcastId),
    refetchInterval: ({ state }) =>
      state.data?.status === "preparing" || state.data?.status === "sending" ? soonMs : laterMs,
  })
  const list = { label: "Broadcasts", href: `/projects/${projectId}/broadcasts` }
  if (!read.data) return <PageNotLoaded of="Broadcast" lists={[list]} read={read} rows={8} />
  const { subject, from, status, createdAt, html, text } = read.data
  const { word, tone, means } = broadcastWords(status)
  return (
    <>
      <PageHeader
        crumbs={[list, { label: subject }]}
        title={subject}
        pill={
          <Pill tone={tone} tip={means}>
            {word}
          </Pill>
        }
        meta={[`from ${from}`, <RelativeTime key="at" at={createdAt} />]}
        actions={<BroadcastActions projectId={projectId} broadcast={read.data} />}
      />
      <BroadcastProgress projectId={projectId} broadcast={read.data} />
      <BroadcastResults counts={read.data.counts} />
      <Card>
        <CardHeader title="Message" />
        <Preview {...(html === undefined ? {} : { html })} {...(text === undefined ? {} : { text })} />
      </Card>
    </>
  )
}

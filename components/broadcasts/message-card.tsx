"use client"

import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { type Broadcast, broadcastPreviewQuery } from "@/components/broadcasts/queries"
import { PersonChoice } from "@/components/compose/person-choice"
import { dynamic } from "@/components/late-parts/dynamic"
import { Card, CardHeader } from "@/components/ui/card"
import { Skeleton } from "@/components/ui/skeleton"

const Preview = dynamic(() => import("@/components/emails/preview").then((module) => module.EmailPreview), {
  ssr: false,
  loading: () => <Skeleton className="m-4 h-60" />,
})

/** The message as one person of the audience gets it, with the link to unsubscribe. */
export function MessageCard({ projectId, broadcast }: { projectId: string; broadcast: Broadcast }) {
  const [person, setPerson] = useState("")
  const { data } = useQuery({
    ...broadcastPreviewQuery(projectId, broadcast, person),
    placeholderData: keepPreviousData,
  })
  const { html, text, subject } = data ?? broadcast
  return (
    <Card aria-label="Message">
      <CardHeader title="Message" {...(data?.person && { description: subject })} />
      {data ? <PersonChoice shown={data} person={person} onPerson={setPerson} /> : null}
      <Preview {...(html === undefined ? {} : { html })} {...(text === undefined ? {} : { text })} />
    </Card>
  )
}

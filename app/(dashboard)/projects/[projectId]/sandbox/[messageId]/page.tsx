import type { Metadata } from "next"
import { Suspense } from "react"
import { Prefetch } from "@/components/api/prefetch"
import { MessageView } from "@/components/sandbox/message-view"
import { messageQuery } from "@/components/sandbox/queries"
import { Card } from "@/components/ui/card"
import { SkeletonRows } from "@/components/ui/skeleton"

export const metadata: Metadata = { title: "Message" }

type Props = { params: Promise<{ projectId: string; messageId: string }> }

export default async function MessagePage({ params }: Props) {
  const { projectId, messageId } = await params
  return (
    <Suspense
      fallback={
        <Card>
          <SkeletonRows rows={8} label="Loading the message" />
        </Card>
      }
    >
      <Prefetch queries={[messageQuery(projectId, messageId)]}>
        <MessageView projectId={projectId} messageId={messageId} />
      </Prefetch>
    </Suspense>
  )
}

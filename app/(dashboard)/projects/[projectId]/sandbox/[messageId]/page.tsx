import type { Metadata } from "next"
import { Suspense } from "react"
import { Prefetch } from "@/components/api/prefetch"
import { titleOf } from "@/components/api/read"
import { MessageView } from "@/components/sandbox/message-view"
import { messageQuery } from "@/components/sandbox/queries"
import { Card } from "@/components/ui/card"
import { SkeletonRows } from "@/components/ui/skeleton"

type Props = { params: Promise<{ projectId: string; messageId: string }> }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { projectId, messageId } = await params
  return titleOf(messageQuery(projectId, messageId), (message) => message.subject, "Message")
}

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

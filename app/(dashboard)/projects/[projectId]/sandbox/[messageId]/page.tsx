import type { Metadata } from "next"
import { Prefetch, titleOf } from "@/components/data/prefetch"
import { MessageView } from "@/components/sandbox/message-view"
import { messageQuery } from "@/components/sandbox/queries"

type Props = { params: Promise<{ projectId: string; messageId: string }> }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { projectId, messageId } = await params
  return titleOf(messageQuery(projectId, messageId), (message) => message.subject, "Message")
}

export default async function MessagePage({ params }: Props) {
  const { projectId, messageId } = await params
  return (
    <Prefetch queries={[messageQuery(projectId, messageId)]}>
      <MessageView projectId={projectId} messageId={messageId} />
    </Prefetch>
  )
}

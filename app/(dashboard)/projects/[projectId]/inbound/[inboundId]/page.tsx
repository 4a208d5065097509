import type { Metadata } from "next"
import { Prefetch, titleOf } from "@/components/data/prefetch"
import { receivedEmailQuery } from "@/components/inbound/queries"
import { ReceivedEmailView } from "@/components/inbound/received-email"
import { webhooksQuery } from "@/components/webhooks/queries"

type Props = { params: Promise<{ projectId: string; inboundId: string }> }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { projectId, inboundId } = await params
  return titleOf(receivedEmailQuery(projectId, inboundId), ({ subject }) => subject ?? "(no subject)", "Email")
}

export default async function ReceivedEmailPage({ params }: Props) {
  const { projectId, inboundId } = await params
  return (
    <Prefetch queries={[receivedEmailQuery(projectId, inboundId), webhooksQuery(projectId)]}>
      <ReceivedEmailView projectId={projectId} inboundId={inboundId} />
    </Prefetch>
  )
}

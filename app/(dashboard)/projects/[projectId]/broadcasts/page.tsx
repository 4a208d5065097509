import { PenLine } from "lucide-react"
import type { Metadata } from "next"
import { May } from "@/components/access/powers"
import { Prefetch } from "@/components/data/prefetch"
import { BroadcastsList } from "@/components/broadcasts/broadcasts-list"
import { broadcastsQuery } from "@/components/broadcasts/queries"
import { ButtonLink } from "@/components/ui/button"
import { PageHeader } from "@/components/ui/page-header"

export const metadata: Metadata = { title: "Broadcasts" }

export default async function BroadcastsPage({ params }: { params: Promise<{ projectId: string }> }) {
  const { projectId } = await params
  return (
    <>
      <PageHeader
        title="Broadcasts"
        meta={["One message to everyone in segments and topics"]}
        actions={
          <May permission="emails:send">
            <ButtonLink
              variant="primary"
              icon={<PenLine />}
              href={`/projects/${projectId}/emails/compose?from=broadcasts`}
            >
              Compose
            </ButtonLink>
          </May>
        }
      />
      <Prefetch queries={[broadcastsQuery(projectId)]}>
        <BroadcastsList projectId={projectId} />
      </Prefetch>
    </>
  )
}

import type { Metadata } from "next"
import { NuqsAdapter } from "nuqs/adapters/next/app"
import { createLoader, type SearchParams } from "nuqs/server"
import { May } from "@/components/access/powers"
import { Prefetch } from "@/components/data/prefetch"
import { AddRoute, RoutesCard } from "@/components/inbound/routes-card"
import { receivedFilters } from "@/components/inbound/filters"
import { inboundRoutesQuery, receivedEmailsQuery } from "@/components/inbound/queries"
import { ReceivedList } from "@/components/inbound/received-list"
import { PageHeader } from "@/components/ui/page-header"
import { webhooksQuery } from "@/components/webhooks/queries"
import { listener } from "@/app/(dashboard)/projects/[projectId]/inbound/listener"

export const metadata: Metadata = { title: "Inbound" }

type Props = { params: Promise<{ projectId: string }>; searchParams: Promise<SearchParams> }

const loadFilters = createLoader(receivedFilters)

export default async function InboundPage({ params, searchParams }: Props) {
  const { projectId } = await params
  const filters = await loadFilters(searchParams)
  return (
    <>
      <PageHeader
        title="Inbound"
        meta={["Email that comes in: replies, and mail to addresses of your domains."]}
        actions={
          <May permission="inbound:write">
            <AddRoute projectId={projectId} />
          </May>
        }
      />
      <Prefetch
        queries={[inboundRoutesQuery(projectId), webhooksQuery(projectId), receivedEmailsQuery(projectId, filters)]}
      >
        <RoutesCard projectId={projectId} listener={listener()} />
        <NuqsAdapter>
          <ReceivedList projectId={projectId} />
        </NuqsAdapter>
      </Prefetch>
    </>
  )
}

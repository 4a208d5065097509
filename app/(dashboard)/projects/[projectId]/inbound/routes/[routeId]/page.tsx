import type { Metadata } from "next"
import { Prefetch, titleOf } from "@/components/data/prefetch"
import { inboundRouteQuery } from "@/components/inbound/queries"
import { RouteDetail } from "@/components/inbound/route-detail"
import { webhooksQuery } from "@/components/webhooks/queries"
import { listener } from "@/app/(dashboard)/projects/[projectId]/inbound/listener"

type Props = { params: Promise<{ projectId: string; routeId: string }> }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { projectId, routeId } = await params
  return titleOf(inboundRouteQuery(projectId, routeId), ({ address }) => address, "Route")
}

export default async function RoutePage({ params }: Props) {
  const { projectId, routeId } = await params
  return (
    <Prefetch queries={[inboundRouteQuery(projectId, routeId), webhooksQuery(projectId)]}>
      <RouteDetail projectId={projectId} routeId={routeId} listener={listener()} />
    </Prefetch>
  )
}

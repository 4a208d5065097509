import type { Metadata } from "next"
import { notFound } from "next/navigation"
import { Prefetch } from "@/components/data/prefetch"
import { DestinationView } from "@/components/operator/destination"
import { destinationQuery } from "@/components/operator/queries"
import { signedIn } from "@/app/(dashboard)/signed-in"

export const metadata: Metadata = { title: "Destination" }

type Props = { params: Promise<{ projectId: string; destinationId: string }> }

export default async function DestinationPage({ params }: Props) {
  const { projectId, destinationId } = await params
  const { user } = await signedIn()
  if (!user.operator) notFound()
  return (
    <Prefetch queries={[destinationQuery(destinationId)]}>
      <DestinationView root={`/projects/${projectId}/settings/destinations`} destinationId={destinationId} />
    </Prefetch>
  )
}

import type { Metadata } from "next"
import { notFound } from "next/navigation"
import { Prefetch } from "@/components/data/prefetch"
import { EgressAddresses } from "@/components/operator/egress-addresses"
import { egressAddressesQuery, operatorRegionsQuery, projectPoolsQuery } from "@/components/operator/queries"
import { SettingsTabs } from "@/components/settings/settings-tabs"
import { PageHeader } from "@/components/ui/page-header"
import { signedIn } from "@/app/(dashboard)/signed-in"

export const metadata: Metadata = { title: "Addresses" }

export default async function AddressesPage({ params }: { params: Promise<{ projectId: string }> }) {
  const { projectId } = await params
  const { user } = await signedIn()
  if (!user.operator) notFound()
  return (
    <Prefetch queries={[egressAddressesQuery(), projectPoolsQuery(), operatorRegionsQuery()]}>
      <PageHeader title="Settings" />
      <SettingsTabs projectId={projectId} operator />
      <EgressAddresses setupHref={`/projects/${projectId}/settings/sending`} />
    </Prefetch>
  )
}

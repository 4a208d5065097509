import type { Metadata } from "next"
import { notFound } from "next/navigation"
import { createLoader, parseAsInteger, type SearchParams } from "nuqs/server"
import { Prefetch } from "@/components/data/prefetch"
import { Destinations } from "@/components/operator/destinations"
import { destinationsQuery } from "@/components/operator/queries"
import { SettingsTabs } from "@/components/settings/settings-tabs"
import { PageHeader } from "@/components/ui/page-header"
import { signedIn } from "@/app/(dashboard)/signed-in"

export const metadata: Metadata = { title: "Destinations" }

type Props = { params: Promise<{ projectId: string }>; searchParams: Promise<SearchParams> }

const loadPage = createLoader({ page: parseAsInteger.withDefault(1) })

export default async function DestinationsPage({ params, searchParams }: Props) {
  const { projectId } = await params
  const { user } = await signedIn()
  if (!user.operator) notFound()
  const { page } = await loadPage(searchParams)
  return (
    <Prefetch queries={[destinationsQuery(page)]}>
      <PageHeader title="Settings" />
      <SettingsTabs projectId={projectId} operator />
      <Destinations root={`/projects/${projectId}/settings/destinations`} />
    </Prefetch>
  )
}

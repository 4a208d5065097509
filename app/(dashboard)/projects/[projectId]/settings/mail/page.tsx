import type { Metadata } from "next"
import { notFound } from "next/navigation"
import { createLoader, parseAsInteger, type SearchParams } from "nuqs/server"
import { Prefetch } from "@/components/data/prefetch"
import { OperatorMails } from "@/components/operator/operator-mails"
import { operatorMailsQuery, operatorRegionsQuery } from "@/components/operator/queries"
import { RegionTests } from "@/components/operator/region-tests"
import { SettingsTabs } from "@/components/settings/settings-tabs"
import { PageHeader } from "@/components/ui/page-header"
import { signedIn } from "@/app/(dashboard)/signed-in"

export const metadata: Metadata = { title: "Operator mailbox" }

type Props = { params: Promise<{ projectId: string }>; searchParams: Promise<SearchParams> }

const loadPage = createLoader({ page: parseAsInteger.withDefault(1) })

export default async function OperatorMailsPage({ params, searchParams }: Props) {
  const { projectId } = await params
  const { user } = await signedIn()
  if (!user.operator) notFound()
  const { page } = await loadPage(searchParams)
  return (
    <Prefetch queries={[operatorMailsQuery(page), operatorRegionsQuery()]}>
      <PageHeader title="Settings" />
      <SettingsTabs projectId={projectId} operator />
      <RegionTests to={user.email} />
      <OperatorMails root={`/projects/${projectId}/settings/mail`} />
    </Prefetch>
  )
}

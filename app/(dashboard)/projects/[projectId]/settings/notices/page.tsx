import type { Metadata } from "next"
import { notFound } from "next/navigation"
import { Prefetch } from "@/components/data/prefetch"
import { OperatorNotices } from "@/components/operator/notices"
import { operatorNoticesQuery } from "@/components/operator/queries"
import { SettingsTabs } from "@/components/settings/settings-tabs"
import { PageHeader } from "@/components/ui/page-header"
import { signedIn } from "@/app/(dashboard)/signed-in"

export const metadata: Metadata = { title: "Notices" }

export default async function NoticesPage({ params }: { params: Promise<{ projectId: string }> }) {
  const { projectId } = await params
  const { user } = await signedIn()
  if (!user.operator) notFound()
  return (
    <Prefetch queries={[operatorNoticesQuery()]}>
      <PageHeader title="Settings" />
      <SettingsTabs projectId={projectId} operator />
      <OperatorNotices root={`/projects/${projectId}/settings`} />
    </Prefetch>
  )
}

import type { Metadata } from "next"
import { notFound } from "next/navigation"
import { Prefetch } from "@/components/data/prefetch"
import { operatorRegionsQuery, setupQuery } from "@/components/operator/queries"
import { SendingSetup } from "@/components/operator/sending-setup"
import { SettingsTabs } from "@/components/settings/settings-tabs"
import { PageHeader } from "@/components/ui/page-header"
import { signedIn } from "@/app/(dashboard)/signed-in"

export const metadata: Metadata = { title: "Sending set-up" }

export default async function SendingSetupPage({ params }: { params: Promise<{ projectId: string }> }) {
  const { projectId } = await params
  const { user } = await signedIn()
  if (!user.operator) notFound()
  return (
    <Prefetch queries={[setupQuery(), operatorRegionsQuery()]}>
      <PageHeader title="Settings" />
      <SettingsTabs projectId={projectId} operator />
      <SendingSetup to={user.email} />
    </Prefetch>
  )
}

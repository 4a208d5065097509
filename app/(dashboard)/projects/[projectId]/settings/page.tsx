import type { Metadata } from "next"
import { Prefetch } from "@/components/data/prefetch"
import { ProjectSettingsView } from "@/components/settings/project-settings"
import { projectDetail } from "@/components/data/query"
import { noticeTarget, projectRegion, projectSettings } from "@/components/settings/queries"
import { SettingsTabs } from "@/components/settings/settings-tabs"
import { PageHeader } from "@/components/ui/page-header"
import { signedIn } from "@/app/(dashboard)/signed-in"

export const metadata: Metadata = { title: "Settings" }

export default async function SettingsPage({ params }: { params: Promise<{ projectId: string }> }) {
  const { projectId } = await params
  const { user } = await signedIn()
  return (
    <Prefetch
      queries={[
        projectDetail(projectId),
        projectSettings(projectId),
        projectRegion(projectId),
        noticeTarget(projectId),
      ]}
    >
      <PageHeader title="Settings" />
      <SettingsTabs projectId={projectId} operator={user.operator} />
      <ProjectSettingsView projectId={projectId} />
    </Prefetch>
  )
}

import type { Metadata } from "next"
import { Prefetch } from "@/components/data/prefetch"
import { MemberSettings } from "@/components/settings/members"
import { inviteList, memberList, memberPolicy } from "@/components/settings/queries"
import { SettingsTabs } from "@/components/settings/settings-tabs"
import { PageHeader } from "@/components/ui/page-header"
import { grantableRoles } from "@/lib/access/rules"
import { signedIn } from "@/app/(dashboard)/signed-in"

export const metadata: Metadata = { title: "Members" }

export default async function MembersPage({ params }: { params: Promise<{ projectId: string }> }) {
  const { projectId } = await params
  const { user, organizations } = await signedIn()
  const organization = organizations.find(({ projects }) => projects.some(({ id }) => id === projectId))
  const manages = grantableRoles(organization?.role).length > 0
  return (
    <Prefetch queries={[memberList(projectId), memberPolicy(projectId), ...(manages ? [inviteList(projectId)] : [])]}>
      <PageHeader title="Settings" />
      <SettingsTabs projectId={projectId} operator={user.operator} />
      <MemberSettings
        projectId={projectId}
        organization={organization?.name ?? "the organization"}
        organizationId={organization?.id}
      />
    </Prefetch>
  )
}

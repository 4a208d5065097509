import type { Metadata } from "next"
import { Prefetch } from "@/components/data/prefetch"
import { AccountSettings } from "@/components/settings/account"
import { currentSession, openSessions, passkeys, secondFactor } from "@/components/settings/queries"
import { SettingsTabs } from "@/components/settings/settings-tabs"
import { PageHeader } from "@/components/ui/page-header"
import { signedIn } from "@/app/(dashboard)/signed-in"

export const metadata: Metadata = { title: "Your account" }

export default async function AccountPage({ params }: { params: Promise<{ projectId: string }> }) {
  const { projectId } = await params
  const { user } = await signedIn()
  return (
    <Prefetch queries={[currentSession(), secondFactor(), passkeys(), openSessions()]}>
      <PageHeader title="Settings" />
      <SettingsTabs projectId={projectId} operator={user.operator} />
      <AccountSettings />
    </Prefetch>
  )
}

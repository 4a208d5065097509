import type { Metadata } from "next"
import { SettingsTabs } from "@/components/settings/settings-tabs"
import { SmtpAccess } from "@/components/settings/smtp-access"
import { PageHeader } from "@/components/ui/page-header"
import { submissionSettings } from "@/lib/delivery/smtp/submission-settings"
import { signedIn } from "@/app/(dashboard)/signed-in"

export const metadata: Metadata = { title: "SMTP" }

export default async function SmtpPage({ params }: { params: Promise<{ projectId: string }> }) {
  const { projectId } = await params
  const { user } = await signedIn()
  return (
    <>
      <PageHeader title="Settings" />
      <SettingsTabs projectId={projectId} operator={user.operator} />
      <SmtpAccess projectId={projectId} access={submissionSettings()} operator={user.operator} />
    </>
  )
}

import type { Metadata } from "next"
import { Prefetch, titleOf } from "@/components/data/prefetch"
import { EmailDetail } from "@/components/emails/email-detail"
import { emailQuery, explanationQuery } from "@/components/emails/queries"
import { env } from "@/lib/platform/env/env"

type Props = { params: Promise<{ projectId: string; emailId: string }> }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { projectId, emailId } = await params
  return titleOf(emailQuery(projectId, emailId), (email) => email.subject, "Email")
}

export default async function EmailPage({ params }: Props) {
  const { projectId, emailId } = await params
  const queries = [emailQuery(projectId, emailId), explanationQuery(projectId, emailId)]
  return (
    <Prefetch queries={queries}>
      <EmailDetail projectId={projectId} emailId={emailId} baseUrl={env().baseUrl} />
    </Prefetch>
  )
}

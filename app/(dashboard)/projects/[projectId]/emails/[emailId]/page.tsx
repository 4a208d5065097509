import type { Metadata } from "next"
import { Suspense } from "react"
import { Prefetch } from "@/components/api/prefetch"
import { titleOf } from "@/components/api/read"
import { EmailDetail } from "@/components/emails/email-detail"
import { EmailSkeleton } from "@/components/emails/email-skeleton"
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
    <Suspense fallback={<EmailSkeleton />}>
      <Prefetch queries={queries}>
        <EmailDetail projectId={projectId} emailId={emailId} baseUrl={env().baseUrl} />
      </Prefetch>
    </Suspense>
  )
}

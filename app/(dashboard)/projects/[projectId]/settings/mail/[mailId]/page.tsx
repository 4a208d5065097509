import type { Metadata } from "next"
import { notFound } from "next/navigation"
import { Prefetch } from "@/components/data/prefetch"
import { OperatorMailView } from "@/components/operator/operator-mail"
import { operatorMailQuery } from "@/components/operator/queries"
import { signedIn } from "@/app/(dashboard)/signed-in"

export const metadata: Metadata = { title: "Mail" }

type Props = { params: Promise<{ projectId: string; mailId: string }> }

export default async function OperatorMailPage({ params }: Props) {
  const { projectId, mailId } = await params
  const { user } = await signedIn()
  if (!user.operator) notFound()
  return (
    <Prefetch queries={[operatorMailQuery(mailId)]}>
      <OperatorMailView root={`/projects/${projectId}/settings/mail`} mailId={mailId} />
    </Prefetch>
  )
}

"use client"

import { useQuery } from "@tanstack/react-query"
import { EmailsTable } from "@/components/emails/emails-table"
import { LoadError } from "@/components/emails/load-error"
import { emailsQuery } from "@/components/emails/queries"
import { useFirstCurl, type Sending } from "@/components/emails/use-first-curl"
import { Card, CardBody, CardHeader } from "@/components/ui/card"
import { CodeBlock } from "@/components/ui/code-block"
import { SkeletonRows } from "@/components/ui/skeleton"
import { TextLink } from "@/components/ui/text-link"

const shown = 5

/** The five newest emails; a ready command while there are none. */
export function LatestEmails({ projectId, sending }: { projectId: string; sending: Sending }) {
  const emails = useQuery({ ...emailsQuery(projectId, { size: shown }), refetchInterval: 5_000 })
  if (emails.data?.data.length === 0) return <FirstEmail projectId={projectId} sending={sending} />
  return (
    <Card>
      <CardHeader
        title="Latest emails"
        actions={<TextLink href={`/projects/${projectId}/emails`}>All emails</TextLink>}
      />
      {emails.data ? (
        <EmailsTable projectId={projectId} emails={emails.data.data} label="Latest emails" />
      ) : emails.isError ? (
        <LoadError error={emails.error} onRetry={() => void emails.refetch()} retrying={emails.isFetching} />
      ) : (
        <SkeletonRows rows={shown} label="Loading the latest emails" />
      )}
    </Card>
  )
}

function FirstEmail({ projectId, sending }: { projectId: string; sending: Sending }) {
  return (
    <Card>
      <CardHeader
        title="Send the first email"
        description="Set MAILROOM_API_KEY to one of your keys and run this. The email appears here within seconds."
      />
      <CardBody>
        <CodeBlock code={useFirstCurl(projectId, sending)} name="curl command" />
      </CardBody>
    </Card>
  )
}

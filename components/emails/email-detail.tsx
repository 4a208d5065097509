"use client"

import { useQuery, useQueryClient } from "@tanstack/react-query"
import dynamic from "next/dynamic"
import { problemOf } from "@/components/api/problem"
import { Card } from "@/components/ui/card"
import { Columns } from "@/components/ui/columns"
import { PageHeader } from "@/components/ui/page-header"
import { RelativeTime } from "@/components/ui/relative-time"
import { Cause } from "@/components/emails/cause"
import { ContentTabs } from "@/components/emails/content-tabs"
import { EmailActions } from "@/components/emails/email-actions"
import { EmailSkeleton } from "@/components/emails/email-skeleton"
import { LoadError } from "@/components/emails/load-error"
import { emailQuery, explanationQuery } from "@/components/emails/queries"
import { Recipients } from "@/components/emails/recipients"
import { pollEvery } from "@/components/emails/status"
import { StatusPill } from "@/components/emails/status-pill"
import { stepsOf } from "@/components/emails/steps"
import type { Delivery, Email } from "@/components/emails/types"
import { WhatHappened } from "@/components/emails/what-happened"

const NoSuchEmail = dynamic(() => import("@/components/emails/no-such-email"))

type EmailDetailProps = { projectId: string; emailId: string; baseUrl: string }

/** One email: what became of it and why, everything it held, live until it has come to rest. */
export function EmailDetail({ projectId, emailId, baseUrl }: EmailDetailProps) {
  const { email, explanation, error, retry, retrying, moving } = useEmail(projectId, emailId)
  if (error && !(email && explanation)) {
    if (problemOf(error).status === 404) return <NoSuchEmail list={`/projects/${projectId}/emails`} />
    return (
      <Card>
        <LoadError error={error} onRetry={retry} retrying={retrying} />
      </Card>
    )
  }
  if (!email || !explanation) return <EmailSkeleton />
  const { recipients: deliveries, events } = explanation

  return (
    <>
      <PageHeader
        crumbs={[{ label: "Emails", href: `/projects/${projectId}/emails` }, { label: shortId(email.id) }]}
        title={email.subject}
        pill={<StatusPill status={email.status} />}
        meta={[
          `to ${recipientsWords(email)}`,
          `from ${email.from}`,
          <RelativeTime key="at" at={email.createdAt} />,
          sendTimeWords(email, deliveries),
        ]}
        actions={<EmailActions email={email} projectId={projectId} baseUrl={baseUrl} />}
      />
      <Cause explanation={explanation} projectId={projectId} />
      {deliveries.length > 1 ? <Recipients deliveries={deliveries} /> : null}
      <Columns layout="start" className="items-start">
        <WhatHappened steps={stepsOf(email, events, deliveries)} moving={moving} />
        <ContentTabs email={email} deliveries={deliveries} projectId={projectId} />
      </Columns>
    </>
  )
}

function useEmail(projectId: string, emailId: string) {
  const client = useQueryClient()
  const [emailRead, explanationRead] = [emailQuery(projectId, emailId), explanationQuery(projectId, emailId)]

  /** Both are asked as often as the email and its recipients still move. */
  function refetchInterval(): number | false {
    const email = client.getQueryData(emailRead.queryKey)
    const explanation = client.getQueryData(explanationRead.queryKey)
    return email && explanation ? pollEvery(email, explanation.recipients, Date.now()) : false
  }

  const email = useQuery({ ...emailRead, refetchInterval })
  const explanation = useQuery({ ...explanationRead, refetchInterval })
  const all = [email, explanation]
  const recipients = explanation.data?.recipients
  return {
    email: email.data,
    explanation: explanation.data,
    error: all.find(({ isError }) => isError)?.error,
    retrying: all.some(({ isFetching }) => isFetching),
    retry: () => all.filter(({ isError }) => isError).forEach(({ refetch }) => void refetch()),
    moving: Boolean(email.data && recipients && pollEvery(email.data, recipients, email.dataUpdatedAt)),
  }
}

function recipientsWords({ to, cc = [], bcc = [] }: Email): string {
  const others = to.length + cc.length + bcc.length - 1
  return others > 0 ? `${to[0]} and ${others} more` : (to[0] ?? "")
}

/** From acceptance to the moment a mail server had it; null until one has. */
function sendTimeWords(email: Email, deliveries: Delivery[]): string | null {
  const accepted = deliveries.flatMap(({ attempts }) => attempts.filter(({ outcome }) => outcome === "accepted"))
  const first = accepted.flatMap(({ endedAt }) => endedAt ?? []).sort()[0]
  if (!first || email.scheduledAt) return null
  const ms = Date.parse(first) - Date.parse(email.createdAt)
  return ms < 10_000
    ? `${ms.toLocaleString("en")} ms to send`
    : `${Math.round(ms / 1000).toLocaleString("en")} s to send`
}

function shortId(id: string): string {
  return id.length > 16 ? `${id.slice(0, 10)}…${id.slice(-3)}` : id
}

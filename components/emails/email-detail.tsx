"use client"

import { useQuery, useQueryClient } from "@tanstack/react-query"
import { dynamic } from "@/components/ui/dynamic"
import { problemOf } from "@/components/data/call"
import { Columns } from "@/components/ui/columns"
import { PageHeader } from "@/components/ui/page-header"
import { TextLink } from "@/components/ui/text-link"
import { bareAddress, nameOf } from "@/components/emails/address"
import { Authentication } from "@/components/emails/authentication"
import { Cause } from "@/components/emails/cause"
import { Moment } from "@/components/data/clock-time"
import { ContentTabs } from "@/components/emails/content-tabs"
import { EmailActions } from "@/components/emails/email-actions"
import { EmailSkeleton } from "@/components/emails/email-skeleton"
import { Facts } from "@/components/emails/facts"
import { PageNotLoaded } from "@/components/data/page-not-loaded"
import { emailQuery, explanationQuery } from "@/components/emails/queries"
import { pollEvery } from "@/components/emails/status"
import { StatusPill } from "@/components/emails/status-pill"
import type { Email } from "@/components/emails/types"
import { WhatHappened } from "@/components/emails/what-happened"

const Recipients = dynamic(() => import("@/components/emails/recipients").then((module) => module.Recipients))
const NoSuchEmail = dynamic(() => import("@/components/emails/no-such-email"))

type EmailDetailProps = { projectId: string; emailId: string; baseUrl: string }

/** One email: its status and cause, its content and its journey, updated live until it has a final status. */
export function EmailDetail({ projectId, emailId, baseUrl }: EmailDetailProps) {
  const { email, explanation, failed, moving } = useEmail(projectId, emailId)
  if (failed && !(email && explanation)) {
    if (problemOf(failed.error).status === 404) return <NoSuchEmail list={`/projects/${projectId}/emails`} />
    return (
      <PageNotLoaded of="Email" lists={[{ label: "Emails", href: `/projects/${projectId}/emails` }]} read={failed} />
    )
  }
  if (!email || !explanation) return <EmailSkeleton />
  const { recipients: deliveries } = explanation
  const copy = deliveries.find(({ sandboxCopy }) => sandboxCopy)?.sandboxCopy
  const [to = ""] = email.to

  return (
    <>
      <PageHeader
        crumbs={[{ label: "Emails", href: `/projects/${projectId}/emails` }, { label: shortId(email.id) }]}
        title={email.subject}
        pill={<StatusPill status={email.status} />}
        meta={[
          <span key="to">
            to <TextLink href={`/projects/${projectId}/contacts?${search(to)}`}>{bareAddress(to)}</TextLink>{" "}
            {nameOf(to)}
            {othersWords(email)}
          </span>,
          `from ${email.from}`,
          <Moment key="at" at={email.createdAt} />,
          email.broadcastId ? (
            <TextLink key="broadcast" href={`/projects/${projectId}/broadcasts/${email.broadcastId}`}>
              Part of a broadcast
            </TextLink>
          ) : null,
        ]}
        actions={<EmailActions email={email} projectId={projectId} baseUrl={baseUrl} />}
      />
      <Cause explanation={explanation} projectId={projectId} from={email.from} />
      {deliveries.length > 1 ? <Recipients projectId={projectId} deliveries={deliveries} /> : null}
      <Columns layout="start" className="items-start lg:grid-cols-[minmax(360px,470px)_minmax(0,1fr)]">
        <div className="min-w-0">
          <WhatHappened projectId={projectId} email={email} explanation={explanation} moving={moving} />
          {copy ? <Authentication projectId={projectId} copy={copy} /> : null}
          <Facts email={email} projectId={projectId} />
        </div>
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
    failed: all.find(({ isError }) => isError),
    moving: Boolean(email.data && recipients && pollEvery(email.data, recipients, email.dataUpdatedAt)),
  }
}

function search(header: string): URLSearchParams {
  return new URLSearchParams({ search: bareAddress(header) })
}

function othersWords({ to, cc = [], bcc = [] }: Email): string {
  const others = to.length + cc.length + bcc.length - 1
  return others > 0 ? ` and ${others} more` : ""
}

function shortId(id: string): string {
  return id.length > 16 ? `${id.slice(0, 10)}…${id.slice(-3)}` : id
}

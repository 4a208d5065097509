"use client"

import { useQuery, useQueryClient } from "@tanstack/react-query"
import { Moment } from "@/components/data/clock-time"
import { PageNotLoaded } from "@/components/data/page-not-loaded"
import { bareAddress, nameOf } from "@/components/emails/address"
import { Cause } from "@/components/emails/cause"
import { ContentTabs } from "@/components/emails/content-tabs"
import { EmailActions } from "@/components/emails/email-actions"
import { Facts } from "@/components/emails/facts"
import { emailQuery, explanationQuery } from "@/components/emails/queries"
import { newsPollEvery, pollEvery } from "@/components/emails/status"
import { StatusPill } from "@/components/emails/status-pill"
import type { Email, Explanation } from "@/components/emails/types"
import { WhatHappened } from "@/components/emails/what-happened"
import { dynamic } from "@/components/late-parts/dynamic"
import { checkNames, checks, verdictWords } from "@/components/sandbox/verdicts"
import { Card, CardHeader } from "@/components/ui/card"
import { cn } from "@/components/ui/cn"
import { Columns } from "@/components/ui/columns"
import { PageHeader } from "@/components/ui/page-header"
import { Skeleton, SkeletonRows } from "@/components/ui/skeleton"
import { TextLink } from "@/components/ui/text-link"

const Recipients = dynamic(() => import("@/components/emails/recipients").then((module) => module.Recipients))
const ReturnedMails = dynamic(() => import("@/components/emails/returned-mails").then((module) => module.ReturnedMails))

type EmailDetailProps = { projectId: string; emailId: string; baseUrl: string }

/** One email: its status and cause, its content and its journey, updated live until nothing more is to be expected. */
export function EmailDetail({ projectId, emailId, baseUrl }: EmailDetailProps) {
  const { email, explanation, readAt, failed, moving } = useEmail(projectId, emailId)
  if (failed && !(email && explanation)) {
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
          <ReturnedMails projectId={projectId} emailId={emailId} emailReadAt={readAt} />
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

  /** Both are asked as often as the email and its recipients still move, or news of them may come. */
  function refetchInterval(): number | false {
    const email = client.getQueryData(emailRead.queryKey)
    const explanation = client.getQueryData(explanationRead.queryKey)
    return email && explanation ? newsPollEvery(email, explanation, Date.now()) : false
  }

  const email = useQuery({ ...emailRead, refetchInterval })
  const explanation = useQuery({ ...explanationRead, refetchInterval })
  const all = [email, explanation]
  const recipients = explanation.data?.recipients
  return {
    email: email.data,
    explanation: explanation.data,
    // The first read is of the server, whose clock may differ.
    readAt: email.isFetchedAfterMount ? email.dataUpdatedAt : 0,
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

/** The detail of an email while it loads: as high as the real one. */
function EmailSkeleton() {
  return (
    <>
      <Skeleton className="mb-3 h-5 w-48" />
      <Skeleton className="mb-2 h-7 w-80 max-w-full" />
      <Skeleton className="mb-6 h-5 w-120 max-w-full" />
      <Columns layout="start">
        <Card>
          <SkeletonRows rows={6} label="Loading the email" />
        </Card>
        <Card>
          <SkeletonRows rows={12} label="Loading its content" />
        </Card>
      </Columns>
    </>
  )
}

type AuthenticationProps = { projectId: string; copy: NonNullable<Explanation["recipients"][number]["sandboxCopy"]> }

/** What the sandbox, as a receiver, found out about the message. */
function Authentication({ projectId, copy }: AuthenticationProps) {
  return (
    <Card aria-label="Authentication">
      <CardHeader
        title="Authentication"
        actions={<TextLink href={`/projects/${projectId}/sandbox/${copy.id}`}>Open the sandbox copy</TextLink>}
      />
      <dl className="divide-y divide-line">
        {checks.map((check) => {
          const { word, tone, means } = verdictWords(check, copy[check])
          return (
            <div key={check} className="grid grid-cols-[56px_88px_1fr] gap-x-2 px-4 py-2.5">
              <dt className="font-medium">{checkNames[check]}</dt>
              <dd className={cn("flex items-center gap-2 self-start", tone === "good" ? "" : text[tone])}>
                <span aria-hidden="true" className={cn("size-2 rounded-full", fill[tone])} />
                {word}
              </dd>
              <dd className="text-sm text-muted">{means}</dd>
            </div>
          )
        })}
      </dl>
    </Card>
  )
}

const fill = { wait: "bg-wait", warn: "bg-warn", good: "bg-good", bad: "bg-bad" }
const text = { wait: "", warn: "text-warn", good: "", bad: "text-bad" }

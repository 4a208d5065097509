"use client"

import { useNow } from "@/components/ui/relative-time"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import type { ReactNode } from "react"
import { Moment, useMoment } from "@/components/data/clock-time"
import { PageNotLoaded } from "@/components/data/page-not-loaded"
import { addressWithoutName, nameOf } from "@/components/emails/address"
import { ContentTabs } from "@/components/emails/content-tabs"
import { EmailActions } from "@/components/emails/email-actions"
import { Journey, journeyAnswer, comingOf, endOf, journeyOf } from "@/components/emails/journey"
import { type Email, emailQuery, type Explanation, explanationQuery } from "@/components/emails/queries"
import { newsPollEvery, pollEvery, EmailStatusPill } from "@/components/emails/status"
import { dynamic } from "@/components/late-parts/dynamic"
import { checkNames, checks, verdictWords } from "@/components/sandbox/verdicts"
import { topicsQuery } from "@/components/segments/queries"
import { AddressText, TextLink } from "@/components/ui/text"
import { ButtonLink } from "@/components/ui/button"
import { Callout } from "@/components/ui/callout"
import { Card, CardHeader, Columns } from "@/components/ui/card"
import { cn } from "@/components/ui/cn"
import { CopyText } from "@/components/ui/copy-button"
import { KeyValues } from "@/components/ui/key-values"
import { useReaderTimes } from "@/components/ui/local-time"
import { PageHeader } from "@/components/ui/page-header"
import type { Tone } from "@/components/ui/pill"
import { Skeleton, SkeletonRows } from "@/components/ui/loading"

const Recipients = dynamic(() => import("@/components/emails/recipients").then((module) => module.Recipients))
const Replies = dynamic(() => import("@/components/emails/what-came-back").then((module) => module.Replies))
const ReturnedMails = dynamic(() => import("@/components/emails/what-came-back").then((module) => module.ReturnedMails))

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
        pill={<EmailStatusPill status={email.status} />}
        meta={[
          <span key="to">
            to <TextLink href={`/projects/${projectId}/contacts?${search(to)}`}>{addressWithoutName(to)}</TextLink>{" "}
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
          <Replies projectId={projectId} emailId={emailId} />
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
  return new URLSearchParams({ search: addressWithoutName(header) })
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

const AlsoWaiting = dynamic(() => import("@/components/emails/also-waiting").then((module) => module.AlsoWaiting), {
  ssr: false,
})

type CauseProps = { explanation: Explanation; projectId: string; from: string }

/** Why the email is where it is, with the evidence and what to do; nothing once it has arrived. */
function Cause({ explanation, projectId, from }: CauseProps) {
  const moment = useMoment()
  const inReaderTime = useReaderTimes()
  const now = useNow()
  const { status, severity, cause, fix, page, recipients } = explanation
  if (severity === "none") return null
  const told = recipients.find((one) => one.severity === severity)
  const waiting = told?.attempts.length ? told : undefined
  const at = waiting?.nextAttemptAt
  const next = at ? (Date.parse(at) <= now ? "The next attempt is due." : `The next attempt is ${moment(at)}.`) : ""
  const suppressed = page === "suppressions" && told
  const link = suppressed
    ? { path: `suppressions?${new URLSearchParams({ search: told.address })}`, words: "Open suppression" }
    : page && links[page]
  const action = link ? (
    <ButtonLink href={`/projects/${projectId}/${link.path}`} variant={severity === "critical" ? "primary" : "default"}>
      {link.words}
    </ButtonLink>
  ) : waiting && next ? (
    // It comes after the first paint and moves nothing.
    <div className="flex h-8 w-72 max-w-full sm:justify-end">
      <AlsoWaiting projectId={projectId} status={status} recipient={waiting} from={from} />
    </div>
  ) : null
  return (
    <Callout tone={tones[severity]} title={inReaderTime(cause)} action={action}>
      {[told?.evidence, inReaderTime(fix), next].filter(Boolean).join(" ")}
    </Callout>
  )
}

const tones: Record<Explanation["severity"], Tone> = { none: "good", info: "wait", warning: "warn", critical: "bad" }

const links: Record<NonNullable<Explanation["page"]>, { path: string; words: string }> = {
  domains: { path: "domains", words: "Check domains" },
  suppressions: { path: "suppressions", words: "Open suppressions" },
  topics: { path: "topics", words: "Open topics" },
  settings: { path: "settings", words: "Open settings" },
  sandbox: { path: "sandbox", words: "Open sandbox mailbox" },
}

type WhatHappenedProps = { projectId: string; email: Email; explanation: Explanation; moving: boolean }

/** The answer, and below it the way of the email. */
function WhatHappened({ projectId, email, explanation, moving }: WhatHappenedProps) {
  const steps = journeyOf(email, explanation)
  const end = endOf(explanation)
  return (
    <Card>
      <CardHeader title={<span aria-live="polite">{journeyAnswer(email, explanation)}</span>} />
      <ScrollIf long={steps.length > longFrom}>
        <Journey
          projectId={projectId}
          steps={steps}
          {...(moving ? { coming: comingOf(email, explanation) } : end ? { end } : {})}
        />
      </ScrollIf>
    </Card>
  )
}

/** Opens and clicks can be many; they must not push the content out of sight. */
const longFrom = 14

function ScrollIf({ long, children }: { long: boolean; children: ReactNode }) {
  if (!long) return children
  return (
    <div
      tabIndex={0}
      role="region"
      aria-label="What happened, scrolls"
      className="max-h-190 overflow-y-auto -outline-offset-2"
    >
      {children}
    </div>
  )
}

/** What else the email carries. */
function Facts({ email, projectId }: { email: Email; projectId: string }) {
  const { id, messageId, cc, bcc, replyTo, tags, metadata, testMode, topicId, sendTimeCategory } = email
  return (
    <Card aria-label="Details">
      <KeyValues
        className="sm:grid-cols-[88px_1fr]"
        items={[
          { label: "ID", value: <CopyText value={id} name="email id" inline /> },
          messageId
            ? {
                label: "Message-ID",
                value: (
                  <CopyText
                    value={messageId}
                    name="Message-ID"
                    display={<AddressText address={messageId} />}
                    inline
                    wrap
                  />
                ),
              }
            : null,
          cc ? { label: "Cc", value: cc.join(", ") } : null,
          bcc ? { label: "Bcc", value: bcc.join(", ") } : null,
          replyTo ? { label: "Reply-To", value: replyTo } : null,
          tags ? { label: "Tags", value: pairs(tags) } : null,
          metadata ? { label: "Metadata", value: pairs(metadata) } : null,
          topicId ? { label: "Topic", value: <TopicLink projectId={projectId} topicId={topicId} /> } : null,
          sendTimeCategory && sendTimeCategory !== "transactional"
            ? { label: "Category", value: categoryWords[sendTimeCategory] }
            : null,
          testMode ? { label: "Test mode", value: "Nothing was sent" } : null,
        ]}
      />
    </Card>
  )
}

function TopicLink({ projectId, topicId }: { projectId: string; topicId: string }) {
  const topic = useQuery(topicsQuery(projectId)).data?.data.find(({ id }) => id === topicId)
  return <TextLink href={`/projects/${projectId}/topics/${topicId}`}>{topic?.name ?? topicId}</TextLink>
}

const categoryWords = { marketing: "Marketing", notification: "Notification", digest: "Digest" }

function pairs(entries: Record<string, string>): string {
  return Object.entries(entries)
    .map(([key, value]) => `${key}=${value}`)
    .join(", ")
}

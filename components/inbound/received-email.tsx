"use client"

import { useQuery } from "@tanstack/react-query"
import { useMay } from "@/components/access/powers"
import { problemOf } from "@/components/data/call"
import { Moment } from "@/components/data/clock-time"
import { PageNotLoaded } from "@/components/data/page-not-loaded"
import { useOneAtATime } from "@/components/data/use-call"
import { HeaderList, sizeWords, EmailSource } from "@/components/emails/message-source"
import { receivedEmailQuery, type ReceivedEmailDetail, useDeliverAgain } from "@/components/inbound/queries"
import { ReceivedVerdicts } from "@/components/inbound/received-list"
import { senderOf } from "@/components/inbound/words"
import { Button, ButtonLink } from "@/components/ui/button"
import { Card, CardHeader } from "@/components/ui/card"
import { KeyValues } from "@/components/ui/key-values"
import { PageHeader } from "@/components/ui/page-header"
import { Pill } from "@/components/ui/pill"
import { RelativeTime } from "@/components/ui/relative-time"
import { TabPanel, Tabs } from "@/components/ui/tabs"
import { type Column, DataTable } from "@/components/ui/table"
import { TextLink } from "@/components/ui/text"
import { toast } from "@/components/ui/toast"
import { webhooksQuery } from "@/components/webhooks/queries"
import { deliveryState } from "@/components/webhooks/states"

type ReceivedEmailProps = { projectId: string; inboundId: string }

const busyMs = 1_000

/** One email that came in, as text: nothing that a stranger wrote runs or loads here. */
export function ReceivedEmailView({ projectId, inboundId }: ReceivedEmailProps) {
  const read = useQuery({
    ...receivedEmailQuery(projectId, inboundId),
    refetchInterval: ({ state }) => (state.data && isBusy(state.data) ? busyMs : false),
  })
  const list = { label: "Inbound", href: `/projects/${projectId}/inbound` }
  if (!read.data) return <PageNotLoaded of="Email" lists={[list]} read={read} rows={8} />
  const email = read.data
  const root = `/v1/projects/${projectId}/inbound/${email.id}`
  return (
    <>
      <PageHeader
        crumbs={[list, { label: "Email" }]}
        title={email.subject ?? "(no subject)"}
        pill={
          email.autoSubmitted ? (
            <Pill tip="Written by a program, such as an out-of-office notice.">Automatic</Pill>
          ) : null
        }
        meta={[
          `from ${senderOf(email)}`,
          `to ${email.to}`,
          <Moment key="at" at={email.receivedAt} />,
          sizeWords(email.size),
        ]}
        actions={
          <ButtonLink href={`${root}/raw`} prefetch={false}>
            Download
          </ButtonLink>
        }
      />
      <Card aria-label="Content">
        <Tabs label="Content" tabs={tabsOf(email)}>
          <TabPanel value="reply">
            <EmailSource text={email.replyText} name="reply" />
          </TabPanel>
          <TabPanel value="text">
            <EmailSource text={email.text} name="text" />
            {email.textCut ? (
              <p className="border-t border-line px-4 py-2.5 text-muted">
                The text is longer. Download the email to read all of it.
              </p>
            ) : null}
          </TabPanel>
          <TabPanel value="headers">
            <HeaderList headers={email.headers} />
          </TabPanel>
        </Tabs>
      </Card>
      <Facts projectId={projectId} email={email} />
      <Attachments root={root} attachments={email.attachments} />
      <Deliveries projectId={projectId} email={email} />
    </>
  )
}

function isBusy({ autoSubmitted, deliveries }: ReceivedEmailDetail): boolean {
  return autoSubmitted === undefined || deliveries.some(({ status }) => status === "pending" || status === "processing")
}

function tabsOf({ headers, text, replyText }: ReceivedEmailDetail) {
  const isReply = replyText !== text.trim()
  return [
    ...(isReply ? [{ value: "reply", label: "Reply" }] : []),
    { value: "text", label: isReply ? "Whole text" : "Text" },
    { value: "headers", label: "Headers", count: headers.length },
  ]
}

function Facts({ projectId, email }: { projectId: string; email: ReceivedEmailDetail }) {
  const { from, replyTo, inReplyTo, plus, returnPath, helo, client, tls, keepUntil, routeId } = email
  return (
    <Card aria-label="Details">
      <CardHeader title="Details" />
      <KeyValues
        items={[
          inReplyTo
            ? {
                label: "Answers",
                value: <TextLink href={`/projects/${projectId}/emails/${inReplyTo}`}>{inReplyTo}</TextLink>,
              }
            : null,
          { label: "Checks", value: <ReceivedVerdicts email={email} /> },
          { label: "From", value: <code>{from || "empty"}</code> },
          replyTo && replyTo !== from ? { label: "Reply to", value: <code>{replyTo}</code> } : null,
          plus ? { label: "After the plus", value: <code>{plus}</code> } : null,
          { label: "Return path", value: returnPath === "" ? "Empty, as bounces have it" : <code>{returnPath}</code> },
          { label: "Handed over by", value: `${helo} (${client})${tls ? ` over ${tls}` : ", not encrypted"}` },
          routeId
            ? {
                label: "Route",
                value: <TextLink href={`/projects/${projectId}/inbound/routes/${routeId}`}>{routeId}</TextLink>,
              }
            : null,
          keepUntil ? { label: "Kept until", value: <Moment at={keepUntil} /> } : null,
        ]}
      />
    </Card>
  )
}

type Attachment = ReceivedEmailDetail["attachments"][number]

function Attachments({ root, attachments }: { root: string; attachments: Attachment[] }) {
  if (attachments.length === 0) return null
  const columns: Column<Attachment>[] = [
    {
      head: "Name",
      cell: ({ number, filename }) => (
        <TextLink href={`${root}/attachments/${number}`} prefetch={false}>
          <bdi className="[overflow-wrap:anywhere]">{plainName(filename)}</bdi>
        </TextLink>
      ),
    },
    { head: "Type", from: "sm", width: "w-[34%]", muted: true, truncate: true, cell: ({ contentType }) => contentType },
    { head: "Size", width: "w-28", numeric: true, muted: true, cell: ({ size }) => sizeWords(size) },
  ]
  return (
    <Card aria-label="Attachments">
      <CardHeader title="Attachments" description="Written by a stranger. They are saved, never opened here." />
      <DataTable label="Attachments" rows={attachments} columns={columns} keyOf={({ number }) => String(number)} />
    </Card>
  )
}

/** Without the marks that turn the direction of text, which can hide what a file is. */
function plainName(filename = "unnamed"): string {
  return filename.replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "\ufffd")
}

type Delivery = ReceivedEmailDetail["deliveries"][number]

/** The events of the email, and a way to send it again. */
function Deliveries({ projectId, email }: { projectId: string; email: ReceivedEmailDetail }) {
  const again = useDeliverAgain()
  const webhooks = useQuery(webhooksQuery(projectId))
  const mayWrite = useMay("inbound:write")
  const deliver = useOneAtATime(async () => {
    try {
      await again.mutateAsync({ params: { projectId, inboundId: email.id } })
      toast.success("The email is delivered again")
    } catch (error) {
      toast.error("The email was not delivered", { description: problemOf(error).detail })
    }
  })
  const columns: Column<Delivery>[] = [
    {
      head: "Webhook",
      cell: ({ webhookId }) => (
        <TextLink href={`/projects/${projectId}/webhooks/${webhookId}`}>
          {webhooks.data?.data.find((one) => one.id === webhookId)?.name ?? "A deleted webhook"}
        </TextLink>
      ),
    },
    {
      head: "State",
      width: "w-40",
      cell: ({ status, attemptCount }) => {
        const { word, tone, tip } = deliveryState({ status, attemptCount })
        return (
          <Pill tone={tone} tip={tip} inTable>
            {word}
          </Pill>
        )
      },
    },
    { head: "Since", from: "sm", width: "w-34", muted: true, cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
  ]
  return (
    <Card aria-label="Webhook">
      <CardHeader
        title="Webhook"
        description={
          email.deliveries.length > 0 ? "The events email.received of this email." : "No event was sent for this email."
        }
        actions={
          mayWrite ? (
            <Button size="small" loading={again.isPending} onClick={() => void deliver()}>
              Deliver again
            </Button>
          ) : null
        }
      />
      {email.deliveries.length > 0 ? (
        <DataTable label="Webhook deliveries" rows={email.deliveries} columns={columns} keyOf={({ id }) => id} />
      ) : null}
    </Card>
  )
}

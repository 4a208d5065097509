"use client"

import { useQuery } from "@tanstack/react-query"
import { useRouter } from "next/navigation"
import { useMay } from "@/components/access/powers"
import { dynamic } from "@/components/late-parts/dynamic"
import { problemOf } from "@/components/data/call"
import { Moment } from "@/components/data/clock-time"
import { HeaderList, sizeWords, EmailSource } from "@/components/emails/message-source"
import { PageNotLoaded } from "@/components/data/page-not-loaded"
import { AddressText } from "@/components/ui/text"
import { Button, ButtonLink } from "@/components/ui/button"
import { Card } from "@/components/ui/card"
import { ConfirmDialog } from "@/components/ui/confirm-dialog"
import { EmptyState } from "@/components/ui/empty-state"
import { KeyValues } from "@/components/ui/key-values"
import { PageHeader } from "@/components/ui/page-header"
import { Skeleton } from "@/components/ui/loading"
import { TabPanel, Tabs } from "@/components/ui/tabs"
import { toast } from "@/components/ui/toast"
import { type MessageDetail, messageQuery, useDeleteMessage } from "@/components/sandbox/queries"
import { Pill } from "@/components/ui/pill"
import { checkNames, checks, verdictWords } from "@/components/sandbox/verdicts"
import { presentBody } from "@/lib/emails/message-rules"

const Preview = dynamic(() => import("@/components/emails/preview").then((module) => module.EmailPreview), {
  ssr: false,
  loading: () => <Skeleton className="m-4 h-60" />,
})

/** One captured message as a mail client would show it, with the receiver's verdicts. */
export function MessageView({ projectId, messageId }: { projectId: string; messageId: string }) {
  const asked = useQuery({ ...messageQuery(projectId, messageId), staleTime: Infinity })
  const mailbox = `/projects/${projectId}/sandbox`
  const lists = [{ label: "Sandbox mailbox", href: mailbox }]
  if (asked.error && problemOf(asked.error).status === 404) {
    return (
      <>
        <PageHeader crumbs={lists} title="Message not found" />
        <Card>
          <EmptyState title="Message not found" action={<ButtonLink href={mailbox}>All messages</ButtonLink>}>
            The mailbox keeps messages for 7 days, at most 1,000 per project. Older ones are deleted.
          </EmptyState>
        </Card>
      </>
    )
  }
  if (!asked.data) return <PageNotLoaded of="Message" lists={lists} read={asked} rows={8} />

  const message = asked.data
  return (
    <>
      <PageHeader
        crumbs={[...lists, { label: "Message" }]}
        title={message.subject ?? "(no subject)"}
        meta={[
          `to ${message.to}`,
          `from ${message.from}`,
          <Moment key="at" at={message.receivedAt} />,
          sizeWords(message.size),
        ]}
        actions={
          <>
            <ButtonLink href={`/projects/${projectId}/emails/${message.emailId}`}>Open email</ButtonLink>
            <DeleteMessage projectId={projectId} messageId={messageId} />
          </>
        }
      />
      <VerdictSteps verdicts={message.verdicts} />
      <MessageTabs message={message} />
    </>
  )
}

function DeleteMessage({ projectId, messageId }: { projectId: string; messageId: string }) {
  const router = useRouter()
  const mayDelete = useMay("emails:send")
  const { mutateAsync } = useDeleteMessage()
  async function confirmed() {
    await mutateAsync({ params: { projectId, messageId } })
    router.push(`/projects/${projectId}/sandbox`)
    toast.success("The message was deleted")
  }
  if (!mayDelete) return null
  return (
    <ConfirmDialog
      trigger={<Button>Delete</Button>}
      title="Delete this message?"
      action="Delete message"
      onConfirm={confirmed}
    >
      It leaves the sandbox mailbox. The email and its events stay.
    </ConfirmDialog>
  )
}

function MessageTabs({ message }: { message: MessageDetail }) {
  const { html, text, headers, raw, attachments, mailFrom } = message
  const tabs = [
    { value: "preview", label: "Preview" },
    ...(presentBody(text) === undefined ? [] : [{ value: "text", label: "Text" }]),
    ...(presentBody(html) === undefined ? [] : [{ value: "html", label: "HTML" }]),
    { value: "headers", label: "Headers", count: headers.length },
    { value: "raw", label: "Raw" },
  ]
  return (
    <Card aria-label="Content">
      <Tabs label="Content" tabs={tabs}>
        <TabPanel value="preview">
          <Preview html={html} text={text} />
        </TabPanel>
        <TabPanel value="text">
          <EmailSource text={text ?? ""} name="text" />
        </TabPanel>
        <TabPanel value="html">
          <EmailSource text={html ?? ""} name="HTML" />
        </TabPanel>
        <TabPanel value="headers">
          <HeaderList headers={headers} />
        </TabPanel>
        <TabPanel value="raw">
          <EmailSource text={raw} name="raw message" />
        </TabPanel>
      </Tabs>
      <KeyValues
        className="border-t border-line"
        items={[
          { label: "Return path", value: <ReturnPath address={mailFrom} /> },
          attachments.length > 0
            ? {
                label: attachments.length === 1 ? "Attachment" : "Attachments",
                value: attachments.map(({ filename, size }) => `${filename} (${sizeWords(size)})`).join(", "),
              }
            : null,
        ]}
      />
    </Card>
  )
}

function ReturnPath({ address }: { address: string }) {
  return (
    <code className="[overflow-wrap:anywhere]">
      <AddressText address={address} />
    </code>
  )
}

/** The three checks side by side: the result of each, its domain, and what that means. */
function VerdictSteps({ verdicts }: { verdicts: MessageDetail["verdicts"] }) {
  return (
    <Card aria-label="Verdicts">
      <ul className="grid gap-px bg-line lg:grid-cols-3">
        {checks.map((check) => {
          const { result, domain, info } = verdicts[check]
          const { word, tone, means } = verdictWords(check, result)
          return (
            <li key={check} className="min-w-0 bg-panel px-4 py-3.5">
              <Pill tone={tone} tip={info}>
                {word}
              </Pill>
              <b className="mt-1.5 mb-0.5 block [overflow-wrap:anywhere]">
                {domain ? `${checkNames[check]} for ${domain}` : checkNames[check]}
              </b>
              <span className="text-muted">{means}</span>
            </li>
          )
        })}
      </ul>
    </Card>
  )
}

"use client"

import { useQuery } from "@tanstack/react-query"
import { Moment } from "@/components/data/clock-time"
import { problemOf } from "@/components/data/call"
import { PageNotLoaded } from "@/components/data/page-not-loaded"
import { addressWithoutName } from "@/components/emails/address"
import { HeaderList, sizeWords, EmailSource } from "@/components/emails/message-source"
import { operatorMailQuery, senderName, type OperatorMailDetail } from "@/components/operator/queries"
import { mailReasons } from "@/components/operator/reasons"
import { ButtonLink } from "@/components/ui/button"
import { Card } from "@/components/ui/card"
import { EmptyState } from "@/components/ui/empty-state"
import { KeyValues } from "@/components/ui/key-values"
import { PageHeader } from "@/components/ui/page-header"
import { TabPanel, Tabs } from "@/components/ui/tabs"
import { TextLink } from "@/components/ui/text"

/** One mail to the service; an answer is written in the operator's own mail program. */
export function OperatorMailView({ root, mailId }: { root: string; mailId: string }) {
  const asked = useQuery({ ...operatorMailQuery(mailId), staleTime: Infinity })
  const list = { label: "Operator mailbox", href: root }
  if (asked.error && problemOf(asked.error).status === 404)
    return (
      <>
        <PageHeader crumbs={[list]} title="Mail not found" />
        <Card>
          <EmptyState title="Mail not found" action={<ButtonLink href={root}>All mail</ButtonLink>}>
            The mailbox keeps mail for 30 days. Older mail is deleted.
          </EmptyState>
        </Card>
      </>
    )
  if (!asked.data) return <PageNotLoaded of="Mail" lists={[list]} read={asked} rows={8} />

  const mail = asked.data
  const answer = answerAddress(mail)
  return (
    <>
      <PageHeader
        crumbs={[list, { label: "Mail" }]}
        title={mail.subject ?? "(no subject)"}
        meta={[
          `from ${senderName(mail.from)}`,
          `to ${mail.to}`,
          <Moment key="at" at={mail.receivedAt} />,
          sizeWords(mail.size),
        ]}
        actions={
          <>
            <ButtonLink href={`/v1/operator/mails/${mail.id}/raw`} prefetch={false}>
              Download
            </ButtonLink>
            {answer && (
              <ButtonLink href={answer} prefetch={false}>
                Reply
              </ButtonLink>
            )}
          </>
        }
      />
      <Card aria-label="Content">
        <Tabs label="Content" tabs={tabsOf(mail)}>
          <TabPanel value="text">
            <EmailSource text={mail.text} name="text" />
          </TabPanel>
          <TabPanel value="headers">
            <HeaderList headers={mail.headers} />
          </TabPanel>
        </Tabs>
        <KeyValues className="border-t border-line" items={origin(mail)} />
      </Card>
    </>
  )
}

function tabsOf({ headers }: OperatorMailDetail) {
  return [
    { value: "text", label: "Text" },
    { value: "headers", label: "Headers", count: headers.length },
  ]
}

function origin({ returnPath, client, helo, tls, attachments, reason, projectId, emailId }: OperatorMailDetail) {
  return [
    { label: "Why it is here", value: `${mailReasons[reason].text}. ${mailReasons[reason].tip}` },
    projectId && emailId
      ? { label: "Email", value: <TextLink href={`/projects/${projectId}/emails/${emailId}`}>{emailId}</TextLink> }
      : null,
    { label: "Return path", value: returnPath === "" ? "empty, as bounces have it" : <code>{returnPath}</code> },
    { label: "Handed over by", value: `${helo} (${client})${tls ? ` over ${tls}` : ", not encrypted"}` },
    attachments.length > 0
      ? {
          label: attachments.length === 1 ? "Attachment" : "Attachments",
          value: attachments.map(({ filename, contentType }) => `${filename ?? "unnamed"} (${contentType})`).join(", "),
        }
      : null,
  ]
}

/** Opens the operator's mail program; null where there is nobody to answer. */
function answerAddress({ replyTo, from, subject = "" }: OperatorMailDetail): string | null {
  const address = [addressWithoutName(replyTo ?? ""), from].find((one) => one.includes("@"))
  if (!address) return null
  const title = /^re:/i.test(subject) ? subject : `Re: ${subject}`
  return `mailto:${encodeURIComponent(address)}?subject=${encodeURIComponent(title)}`
}

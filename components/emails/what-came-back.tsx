"use client"

import { useQuery } from "@tanstack/react-query"
import { ShortTime } from "@/components/data/clock-time"
import { repliesQuery } from "@/components/inbound/queries"
import { senderOf } from "@/components/inbound/words"
import { Card, CardHeader } from "@/components/ui/card"
import { TextLink } from "@/components/ui/text"
import { useMay } from "@/components/access/powers"
import { problemOf, type CallAnswer } from "@/components/data/call"
import { useCall, useOneAtATime } from "@/components/data/use-call"
import { returnedMailsQuery } from "@/components/emails/queries"
import { suppressionsQuery, suppressionsRoute } from "@/components/suppressions/queries"
import { Button } from "@/components/ui/button"
import type { Tone } from "@/components/ui/pill"
import { Timeline, TimelineItem } from "@/components/ui/timeline"
import { toast } from "@/components/ui/toast"

/** The replies that an email got by the project's inbound routes. Nothing if it got none. */
export function Replies({ projectId, emailId }: { projectId: string; emailId: string }) {
  const { data } = useQuery(repliesQuery(projectId, emailId))
  if (!data || data.data.length === 0) return null
  return (
    <Card aria-label="Replies">
      <CardHeader title="Replies" />
      <ul className="divide-y divide-line">
        {data.data.map((reply) => (
          <li key={reply.id} className="flex items-baseline justify-between gap-4 px-4 py-2.5">
            <span className="min-w-0 truncate">
              <TextLink href={`/projects/${projectId}/inbound/${reply.id}`}>{reply.subject ?? "(no subject)"}</TextLink>{" "}
              <span className="text-muted">from {senderOf(reply)}</span>
            </span>
            <ShortTime at={reply.receivedAt} />
          </li>
        ))}
      </ul>
    </Card>
  )
}

type ReturnedMail = CallAnswer<"GET /v1/projects/{projectId}/emails/{emailId}/returned-mails">["data"][number]

type ReturnedMailsProps = { projectId: string; emailId: string; emailReadAt: number }

/** Soon after the email is read again: what came back is what changed it. */
const followMs = 200

/** The mail that came back for an email: what was read from each, how it was matched and what it did. Nothing if none did. */
export function ReturnedMails({ projectId, emailId, emailReadAt }: ReturnedMailsProps) {
  const { data } = useQuery({
    ...returnedMailsQuery(projectId, emailId),
    refetchInterval: ({ state }) =>
      Math.max(state.dataUpdatedAt, state.errorUpdatedAt) < emailReadAt ? followMs : false,
  })
  if (!data || data.data.length === 0) return null
  return (
    <Card aria-label="What came back">
      <CardHeader title="What came back" actions={<span className="tabular-nums">{data.data.length}</span>} />
      <Timeline label="Mail that came back">
        {data.data.map((mail) => (
          <ReturnedMailItem key={mail.id} mail={mail} projectId={projectId} emailId={emailId} />
        ))}
      </Timeline>
    </Card>
  )
}

function ReturnedMailItem({ mail, projectId, emailId }: { mail: ReturnedMail; projectId: string; emailId: string }) {
  const { title, tone } = outcomes[mail.outcome ?? ""] ?? { title: "Not read yet", tone: "wait" }
  const suppresses = ["bounced", "complained", "unsubscribed"].includes(mail.outcome ?? "")
  return (
    <TimelineItem
      tone={tone}
      title={title}
      detail={[kinds[mail.kind ?? ""], mail.from === "" ? undefined : `from ${mail.from}`].filter(Boolean).join(" ")}
      time={<ShortTime at={mail.receivedAt} />}
    >
      {mail.recipients.map((recipient, at) => (
        <span key={at} className="mt-1 block text-sm">
          {reportWords(recipient)}
        </span>
      ))}
      <span className="mt-1 block text-sm text-muted">
        {matches[mail.matchedBy ?? ""] ?? "Not matched to a recipient"}
        {mail.reportingServer ? `, reported by ${mail.reportingServer}` : ""}
      </span>
      <span className="mt-1.5 flex flex-wrap items-center gap-x-4 gap-y-1.5">
        <TextLink href={`/v1/projects/${projectId}/emails/${emailId}/returned-mails/${mail.id}/raw`} prefetch={false}>
          Download the mail
        </TextLink>
        {suppresses && mail.recipient ? <UndoSuppression projectId={projectId} address={mail.recipient} /> : null}
      </span>
    </TimelineItem>
  )
}

/** Only while the recipient is on the suppression list. */
function UndoSuppression({ projectId, address }: { projectId: string; address: string }) {
  const may = useMay("suppressions:write")
  const list = useQuery(suppressionsQuery(projectId, { search: address }))
  const remove = useCall("DELETE /v1/projects/{projectId}/suppressions/{email}", [suppressionsRoute])
  const undo = useOneAtATime(async (email: string) => {
    try {
      await remove.mutateAsync({ params: { projectId, email } })
      toast.success(`${email} was removed from the suppression list`, { description: "It can get email again." })
    } catch (error) {
      toast.error(`${email} is still suppressed`, { description: problemOf(error).detail })
    }
  })
  const email = list.data?.data.find((one) => one.email.toLowerCase() === address.toLowerCase())?.email
  if (!may || email === undefined) return null

  return (
    <Button size="small" disabled={remove.isPending} onClick={() => void undo(email)}>
      Undo suppression
    </Button>
  )
}

const outcomes: Record<string, { title: string; tone: Tone }> = {
  bounced: { title: "Bounced", tone: "bad" },
  delivered: { title: "Delivery confirmed", tone: "good" },
  delayed: { title: "Still on its way", tone: "warn" },
  complained: { title: "Marked as spam", tone: "bad" },
  unsubscribed: { title: "Unsubscribed", tone: "warn" },
  noted: { title: "Noted, nothing changed", tone: "wait" },
  repeated: { title: "Said what was known", tone: "wait" },
}

const kinds: Record<string, string> = {
  delivery_status: "Delivery report",
  feedback: "Complaint report",
  unsubscribe: "Request to unsubscribe",
  report: "Report of a provider",
  automatic_answer: "Automatic answer",
  personal: "Answer of a person",
  unreadable: "A mail that could not be read",
}

const matches: Record<string, string> = {
  verp: "Matched by its return path",
  ref: "Matched by X-Mailroom-Ref",
  unsubscribe_token: "Matched by its unsubscribe link",
  recipient: "Matched by its recipient",
}

/** What the last server said is believed first, then the status of the report. */
function reportWords({ address, action, status, replyCode, replyStatus, reply }: ReturnedMail["recipients"][number]) {
  const code = [replyCode, replyStatus ?? status].filter((part) => part !== undefined).join(" ")
  return [address, action, code, reply].filter(Boolean).join(" · ")
}

"use client"

import { useQuery } from "@tanstack/react-query"
import type { ReactNode } from "react"
import { type ReportMail, reportMailQuery } from "@/components/domains/queries"
import { CopyText } from "@/components/ui/copy-button"
import { Pill, type Tone } from "@/components/ui/pill"
import { RelativeTime } from "@/components/ui/relative-time"
import { Skeleton } from "@/components/ui/loading"
import { formatNumber } from "@/lib/platform/format"

type ReportMailProps = { projectId: string; domainId: string; kind: "dmarc" | "tls" }

/** How reports come by mail: the last one and what its mail proves, or what is missing. */
export function ReportMailState({ projectId, domainId, kind }: ReportMailProps) {
  const { data, error } = useQuery(reportMailQuery(projectId, domainId))
  if (error && !data) return null
  if (!data)
    return (
      <div className="border-b border-line px-4 py-3">
        <Skeleton className="h-5" />
      </div>
    )
  const { last } = data[kind]
  return (
    <ul aria-label={`${names[kind]} by mail`} className="divide-y divide-line border-b border-line">
      {last ? <Last last={last} /> : <Missing mail={data} kind={kind} />}
      {last && data.listener === "closed" ? <Closed /> : null}
      {data.waiting > 0 ? (
        <Line tone="wait" state="Reading">
          {data.waiting === 1
            ? "A mail to the report address is"
            : `${formatNumber(data.waiting)} mails to the report address are`}{" "}
          about to be read.
        </Line>
      ) : null}
      {kind === "dmarc" && data.lastRefused ? <Refused count={data.refused} last={data.lastRefused} /> : null}
    </ul>
  )
}

const names = { dmarc: "DMARC", tls: "TLS reports" }

function Last({ last }: { last: NonNullable<ReportMail["dmarc"]["last"]> }) {
  const { reporter, sender, receivedAt } = last
  const { tone, text, tip } = senderWords(sender)
  return (
    <Line tone="good" state="By mail">
      Last report <RelativeTime at={receivedAt} /> from <b className="font-medium">{reporter}</b>, sent by{" "}
      {sender.address}{" "}
      <Pill tone={tone} tip={tip} className="align-middle">
        {text}
      </Pill>
    </Line>
  )
}

function Missing({ mail: { address, listener, ...mail }, kind }: { mail: ReportMail; kind: "dmarc" | "tls" }) {
  const { record } = mail[kind]
  const isSandbox = record.name.endsWith(".test")
  if (listener === "closed") return <Closed />
  if (record.state === "missing" && kind === "tls") return <TlsRecord record={record} />
  if (record.state === "missing")
    return (
      <Line tone="warn" state="Not published">
        No report by mail yet: the DMARC record at <code>{record.name}</code> does not have the address{" "}
        <CopyText value={address} name="address for reports" inline />. Publish the record shown above.
      </Line>
    )
  return (
    <>
      <Line tone="wait" state="None yet">
        {kind === "dmarc"
          ? "Receivers send a report once a day, about mail of the day before, to "
          : "Senders of mail to this domain report once a day to "}
        <CopyText value={address} name="address for reports" inline wrap />
        {kind === "dmarc" && isSandbox ? (
          <span className="block text-muted">
            The sandbox reports half a minute after the first email from this domain, then at most once an hour.
          </span>
        ) : null}
      </Line>
      {listener === "local" && !isSandbox ? (
        <Line tone="warn" state="Not reachable">
          This installation takes mail from its own machine alone. Its operator has to set <code>INBOUND_PORT</code> and
          to forward port 25 to it.
        </Line>
      ) : null}
    </>
  )
}

function TlsRecord({ record: { name, value } }: { record: ReportMail["tls"]["record"] }) {
  return (
    <Line tone="wait" state="Optional">
      To get reports by mail, publish this TXT record.
      <span className="mt-2 grid gap-x-4 gap-y-1.5 sm:grid-cols-[64px_1fr]">
        <span className="text-muted">Name</span>
        <CopyText value={name} name="name of the record for TLS reports" inline wrap />
        <span className="text-muted">Value</span>
        <CopyText value={value} name="value of the record for TLS reports" inline wrap />
      </span>
    </Line>
  )
}

function Closed() {
  return (
    <Line tone="bad" state="Not received">
      Nothing listens for mail on this installation, so reports cannot arrive. Its operator has to start the process{" "}
      <code>mail</code>.
    </Line>
  )
}

function Refused({ count, last }: { count: number; last: NonNullable<ReportMail["lastRefused"]> }) {
  return (
    <Line tone="warn" state={`${formatNumber(count)} not taken`}>
      {count === 1 ? "A mail" : "The last mail"} from {last.from} <RelativeTime at={last.receivedAt} />:{" "}
      {faultWords[last.reason]}
    </Line>
  )
}

function Line({ tone, state, children }: { tone: Tone; state: string; children: ReactNode }) {
  return (
    <li className="grid items-baseline gap-x-3 gap-y-1 px-4 py-2.5 sm:grid-cols-[7.5rem_1fr]">
      <Pill inTable tone={tone}>
        {state}
      </Pill>
      <p className="min-w-0 [overflow-wrap:anywhere]">{children}</p>
    </li>
  )
}

type Fault = NonNullable<ReportMail["lastRefused"]>["reason"]

/** Why a mail to the address for reports was not taken. */
const faultWords: Record<Fault, string> = {
  no_report: "no report is attached.",
  several_reports: "several reports are attached.",
  archive: "the archive is damaged, packed twice, or holds several files.",
  too_large: "the report is larger than 10 MB unpacked, or has too many records.",
  malformed: "the report cannot be read.",
  other_domain: "the report is about another domain.",
  other_period: "the report is about a time in the future, or too long ago.",
  no_registration: "the domain was not registered then.",
}

/** Whether the mail that carried a report proves who sent it. */
function senderWords({ spf, dkim, dmarc }: { spf: string; dkim: string; dmarc: string }): {
  tone: Tone
  text: string
  tip: string
} {
  const tip = `The mail itself: SPF ${spf}, DKIM ${dkim}, DMARC ${dmarc}.`
  if (dmarc === "pass") return { tone: "good", text: "Sender verified", tip }
  if (dmarc === "none" && (spf === "pass" || dkim === "pass"))
    return { tone: "wait", text: "Sender has no policy", tip }
  return { tone: "warn", text: "Sender not verified", tip: `${tip} Anyone could have written the report.` }
}

"use client"

import { useOpenedAt } from "@/components/ui/relative-time"
import { useQuery } from "@tanstack/react-query"
import { domainQuery, type Domain } from "@/components/domains/queries"
import {
  hostOf,
  recordGroups,
  zoneOf,
  type RecordKey,
  relativeHost,
  type ShownRecord,
} from "@/components/domains/records"
import { isNeeded, shownTitle } from "@/components/domains/statuses"
import { CopyText, CopyButton } from "@/components/ui/copy-button"
import { hourMs } from "@/lib/platform/time"
import { useMoment } from "@/components/data/clock-time"
import { graceMs, sandboxOf } from "@/lib/domains/rules"
import { countText } from "@/lib/platform/format"

/** The records that a domain lacks, each to be copied, and how long it may still send without them. */
export function MissingRecords({ projectId, domainId }: { projectId: string; domainId: string }) {
  const { data: domain } = useQuery(domainQuery(projectId, domainId))
  // Before this installation can send, its records name hosts of the sandbox and are not to be published.
  if (!domain || sandboxOf(domain) === "captured") return null
  const missing = recordGroups(domain)
    .flatMap(({ records }) => records)
    .filter((record) => isNeeded(record) && record.status !== "verified")
  return (
    <>
      {domain.stopsSendingAt ? <TimeLeft until={domain.stopsSendingAt} /> : null}
      <ul
        aria-label={`Records that ${domain.domain} lacks`}
        className="mt-2 divide-y divide-line rounded-md border border-line"
      >
        {missing.map(({ key, type, name, value, priority }) => (
          <li
            key={key}
            className="grid grid-cols-[52px_minmax(0,1fr)] gap-x-3 gap-y-1 px-3 py-2 md:grid-cols-[52px_minmax(0,2fr)_minmax(0,5fr)]"
          >
            <code className="row-span-2 md:row-span-1">{priority === undefined ? type : `${type} ${priority}`}</code>
            <CopyText name="host" value={hostOf(name, zoneOf(domain), "relative")} />
            <CopyText name="value" value={value} />
          </li>
        ))}
      </ul>
    </>
  )
}

function TimeLeft({ until }: { until: string }) {
  const left = useHoursLeft(until)
  return (
    <>
      <p className="mt-1">
        <StopsSending until={until} />
      </p>
      <div aria-hidden="true" className="mt-1.5 h-1 max-w-120 overflow-hidden rounded-full bg-wait-soft">
        <div className="h-full bg-warn" style={{ width: `${((graceHours - left) / graceHours) * 100}%` }} />
      </div>
    </>
  )
}

export const graceHours = graceMs / hourMs

/** Hours until a degraded domain stops sending, as of when the page was opened. */
export function useHoursLeft(until: string): number {
  const now = useOpenedAt()
  return Math.min(graceHours, Math.max(0, (Date.parse(until) - now) / hourMs))
}

/** When a degraded domain stops sending if its records are still missing. */
export function StopsSending({ until }: { until: string }) {
  const moment = useMoment()
  const left = useHoursLeft(until)
  return (
    <span>
      The domain stops sending <b>{moment(until)}</b>, in{" "}
      {left < 1 ? "less than an hour" : countText(Math.floor(left), "hour")}.
    </span>
  )
}

/** What to enter for the record that the sentence names, with a button that copies it. */
export function SentenceCopy({ domain, named }: { domain: Domain; named: RecordKey }) {
  const record = recordGroups(domain)
    .flatMap((group) => group.records)
    .find(({ key }) => key === named)
  const copied = record && copiedValue(record, zoneOf(domain))
  if (!copied) return null
  const { what, text } = copied
  return (
    <p className="mt-2.5 flex min-w-0 flex-wrap items-center gap-2 sm:flex-nowrap">
      <span className="shrink-0 text-muted">
        {shownTitle(record)} {what}
      </span>
      <code title={text} className="min-w-0 truncate rounded-sm bg-sunken px-1.5 py-0.5">
        {text}
      </code>
      <CopyButton size="small" value={text}>{`Copy ${what}`}</CopyButton>
    </p>
  )
}

/** What to enter in the DNS form, and which of its fields that is. */
export type CopiedValue = { what: "host" | "value" | "term"; text: string }

/** Mistakes that are fixed by deleting something. */
const deletions = ["several-records", "extra-mx", "cname-in-the-way", "alias-loop"]

/** What the fix of a record asks to enter; null where there is nothing to enter, or not yet. */
export function copiedValue(record: ShownRecord, zone: string): CopiedValue | null {
  const { name, value, likelyCause: { code, foundAt } = {}, retired, retiredOver } = record
  if ((retired && !retiredOver) || (code && deletions.includes(code))) return null
  if (foundAt) return { what: "host", text: relativeHost(name, zone) }
  // The provider appends the zone to a value without the final dot.
  if (code === "doubled-zone") return { what: "value", text: `${value}.` }
  const [include] = code === "spf-not-passing" ? (/include:\S+/.exec(value) ?? []) : []
  return include ? { what: "term", text: include } : { what: "value", text: value }
}

"use client"

import { useQuery } from "@tanstack/react-query"
import { domainQuery } from "@/components/domains/queries"
import { hostOf, recordGroups, zoneOf } from "@/components/domains/records"
import { isNeeded } from "@/components/domains/statuses"
import { graceHours, StopsSending, useHoursLeft } from "@/components/domains/stops-sending"
import { CopyText } from "@/components/ui/copy-text"
import { sandboxOf } from "@/lib/domains/registration/sandbox-rules"

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
        <div
          className="h-full bg-warn"
          style={{ width: `${((graceHours - left) / graceHours) * 100}%` }}
          suppressHydrationWarning
        />
      </div>
    </>
  )
}

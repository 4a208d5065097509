"use client"

import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { NotLoaded } from "@/components/data/load-error"
import { Pagination } from "@/components/ui/pagination"
import { CheckLines, checkLines } from "@/components/domains/checks"
import { checksQuery, type Domain, type Diagnosis } from "@/components/domains/queries"
import { standbyOf } from "@/components/domains/records"
import { recordTitle } from "@/components/domains/statuses"
import { Pill, type Tone } from "@/components/ui/pill"
import { Table, Td, Th } from "@/components/ui/table"

/** One page of a domain's checks. */
export function ChecksHistory({ domain, projectId }: { domain: Domain; projectId: string }) {
  const [at, setAt] = useState(1)
  const checks = useQuery({ ...checksQuery(projectId, domain.id, at), placeholderData: keepPreviousData })
  if (!checks.data) return <NotLoaded read={checks} label="checks" rows={6} />
  const { page, totalPages, total, hasNextPage, hasPreviousPage } = checks.data.page
  return (
    <>
      {/* A page begins at its top. */}
      <div
        key={page}
        className="-mx-5 max-h-[60vh] overflow-y-auto"
        tabIndex={0}
        role="region"
        aria-label="History of checks"
      >
        <CheckLines lines={checkLines(checks.data.data, hasNextPage, standbyOf(domain))} />
      </div>
      <div className="-mx-5">
        <Pagination
          page={page}
          total={total}
          totalPages={totalPages}
          noun="checks"
          hasNext={hasNextPage}
          hasPrevious={hasPreviousPage}
          onPage={setAt}
          pending={checks.isPlaceholderData}
        />
      </div>
    </>
  )
}

/** A row for each record and each different answer to it. */
export function DiagnosisTable({ records, standby }: { records: DiagnosedRecord[]; standby: string | undefined }) {
  return (
    <Table label="What each name server answers" minWidth="min-w-215">
      <colgroup>
        <col className="w-40" />
        <col className="w-48" />
        <col />
        <col className="w-36" />
      </colgroup>
      <thead>
        <tr>
          <Th>Record</Th>
          <Th>Server</Th>
          <Th>Answer</Th>
          <Th>Verdict</Th>
        </tr>
      </thead>
      <tbody>
        {records.map((record) => (
          <Rows key={record.record} record={record} title={recordTitle(record.record, standby)} />
        ))}
      </tbody>
    </Table>
  )
}

function Rows({ record, title }: { record: DiagnosedRecord; title: string }) {
  const groups = groupedServers(record.servers)
  if (groups.length === 0) {
    return (
      <tr>
        <Td>{title}</Td>
        <Td colSpan={3} className="text-muted">
          No server could be asked.
        </Td>
      </tr>
    )
  }
  return groups.map(({ names, answer }, index) => {
    const { tone, word } = serverWords(answer, record.optional)
    return (
      <tr key={names.join()}>
        {index === 0 ? <Td rowSpan={groups.length}>{title}</Td> : null}
        <Td className="[overflow-wrap:anywhere] whitespace-normal text-muted">{names.join(", ")}</Td>
        <Td className="whitespace-normal">
          <code className="line-clamp-2 [overflow-wrap:anywhere]" title={serverAnswer(answer)}>
            {serverAnswer(answer)}
          </code>
          {answer.likelyCause ? (
            <span className="block">
              {answer.likelyCause.message} {answer.likelyCause.fix}
            </span>
          ) : null}
        </Td>
        <Td>
          <Pill tone={tone} inTable>
            {word}
          </Pill>
        </Td>
      </tr>
    )
  })
}

type DiagnosedRecord = Diagnosis["records"][number]
export type DiagnosedServer = DiagnosedRecord["servers"][number]

type Verdict = { tone: Tone; word: string }

/** A server's answer as a short label. */
export function serverWords({ outcome }: DiagnosedServer, optional: boolean): Verdict {
  if (outcome === "valid") return { tone: "good", word: "As expected" }
  if (outcome === "invalid") return { tone: "warn", word: "Different" }
  if (outcome === "unknown") return { tone: "wait", word: "No answer" }
  return { tone: optional ? "wait" : "warn", word: "Nothing there" }
}

/** What a server said, or why it said nothing, as one text. */
export function serverAnswer({ outcome, found, reason = "" }: DiagnosedServer): string {
  if (outcome === "unknown") return reasons[reason] ?? "The lookup failed."
  return found.length > 0 ? found.join(" | ") : "No such record."
}

const reasons: Record<string, string> = {
  timeout: "It did not answer in time.",
  unreachable: "It is unreachable.",
  refused: "It refused to answer for this name.",
  "server-failure": "It reported an internal failure.",
  malformed: "Its answer is malformed.",
  "alias-loop": "The CNAME records form a loop.",
}

/** Servers that gave the very same answer are one line: most zones are the same everywhere. */
export function groupedServers(servers: DiagnosedServer[]): { names: string[]; answer: DiagnosedServer }[] {
  const groups = new Map<string, { names: string[]; answer: DiagnosedServer }>()
  for (const answer of servers) {
    const print = JSON.stringify([answer.outcome, answer.found.toSorted(), answer.reason])
    const group = groups.get(print) ?? { names: [], answer }
    group.names.push(answer.name ?? answer.server)
    groups.set(print, group)
  }
  return [...groups.values()]
}

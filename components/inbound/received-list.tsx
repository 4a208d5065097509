"use client"

import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { useQueryStates } from "nuqs"
import { receivedColumn, subjectColumn } from "@/components/emails/mail-columns"
import { receivedFilters } from "@/components/inbound/filters"
import { inboundRoutesQuery, type ReceivedEmail, receivedEmailsQuery } from "@/components/inbound/queries"
import { LogCard } from "@/components/logs/log-card"
import { checkNames, checks, verdictWords } from "@/components/sandbox/verdicts"
import { senderOf } from "@/components/inbound/words"
import { EmptyState } from "@/components/ui/empty-state"
import { Pill } from "@/components/ui/pill"
import { RelativeTime } from "@/components/ui/relative-time"
import { Select } from "@/components/ui/select"
import { type Column, DataTable, RowLink } from "@/components/ui/table"
import { TextLink } from "@/components/ui/text"

const refreshMs = 5_000

/** What came by the project's routes, newest first; the first page follows what arrives. */
export function ReceivedList({ projectId }: { projectId: string }) {
  const [filters, setFilters] = useQueryStates(receivedFilters)
  const routes = useQuery(inboundRoutesQuery(projectId)).data?.data ?? []
  const page = useQuery({
    ...receivedEmailsQuery(projectId, filters),
    placeholderData: keepPreviousData,
    refetchInterval: filters.after ? false : refreshMs,
  })
  const known = routes.some(({ id }) => id === filters.route)
  return (
    <>
      <div className="mb-3 flex flex-wrap items-center justify-between gap-3">
        <h2 className="text-lg font-semibold">Received email</h2>
        <Select
          aria-label="Route"
          className="sm:w-72"
          value={filters.route}
          options={[
            { value: "", label: "All routes" },
            ...(filters.route && !known ? [{ value: filters.route, label: "A deleted route" }] : []),
            ...routes.map(({ id, address }) => ({ value: id, label: address })),
          ]}
          onChange={(event) => void setFilters({ route: event.target.value, after: "" }, { history: "push" })}
        />
      </div>
      <LogCard
        label="Received email"
        loading="Loading received email"
        page={page}
        after={filters.after}
        onAfter={(next) => void setFilters({ after: next }, { history: "push" })}
      >
        {({ data }) =>
          data.length > 0 ? (
            <DataTable
              label="Received email"
              rows={data}
              columns={columnsOf(projectId)}
              keyOf={({ id }) => id}
              href={({ id }) => `/projects/${projectId}/inbound/${id}`}
            />
          ) : (
            <EmptyState title="No email yet">Email to the addresses of your routes appears here at once.</EmptyState>
          )
        }
      </LogCard>
    </>
  )
}

/** On a small screen the subject and the time are below the sender. */
const columnsOf = (projectId: string): Column<ReceivedEmail>[] => [
  {
    head: "From",
    width: "sm:w-[26%]",
    cell: (email, href) => (
      <>
        <RowLink href={href} prefetch={false} className="block truncate" title={email.from}>
          {senderOf(email)}
        </RowLink>
        <span className="mt-0.5 block truncate text-muted sm:hidden">{email.subject ?? "(no subject)"}</span>
        <RelativeTime at={email.receivedAt} className="mt-1 block text-xs text-muted sm:hidden" />
      </>
    ),
  },
  subjectColumn,
  {
    head: "To",
    from: "lg",
    width: "w-[22%]",
    truncate: true,
    muted: true,
    title: ({ to }) => to,
    cell: ({ to }) => to,
  },
  {
    head: "Answers",
    from: "xl",
    width: "w-28",
    cell: ({ inReplyTo }) =>
      inReplyTo ? <TextLink href={`/projects/${projectId}/emails/${inReplyTo}`}>Your email</TextLink> : null,
  },
  { head: "DMARC", from: "md", width: "w-28", cell: (email) => <Verdict email={email} check="dmarc" /> },
  receivedColumn,
]

/** What SPF, DKIM and DMARC made of it. */
export function ReceivedVerdicts({ email }: { email: ReceivedEmail }) {
  return (
    <span className="flex flex-wrap gap-x-3 gap-y-1.5">
      {checks.map((check) => (
        <Verdict key={check} email={email} check={check} named />
      ))}
    </span>
  )
}

type VerdictProps = { email: ReceivedEmail; check: (typeof checks)[number]; named?: boolean }

function Verdict({ email, check, named = false }: VerdictProps) {
  const result = email[check]
  if (result === undefined) return null
  const { word, tone } = verdictWords(check, result)
  return (
    <Pill tone={tone} inTable>
      {named ? `${checkNames[check]} ${word.toLowerCase()}` : word}
    </Pill>
  )
}

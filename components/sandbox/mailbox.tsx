"use client"

import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { Inbox } from "lucide-react"
import { useQueryStates } from "nuqs"
import { useMay } from "@/components/access/powers"
import { FilterInput } from "@/components/data/filter-input"
import { ResourceList } from "@/components/data/resource-list"
import { addressWithoutName } from "@/components/emails/address"
import { receivedColumn, subjectColumn } from "@/components/emails/mail-columns"
import { useFirstCurl, type FirstSending } from "@/components/emails/curl"
import { mailboxFilters } from "@/components/sandbox/filters"
import { Button } from "@/components/ui/button"
import { ConfirmDialog } from "@/components/ui/confirm-dialog"
import { EmptyState } from "@/components/ui/empty-state"
import { Pill } from "@/components/ui/pill"
import { RelativeTime } from "@/components/ui/relative-time"
import { RowLink, type Column } from "@/components/ui/table"
import { toast } from "@/components/ui/toast"
import { type SandboxMessage, messagesQuery, useClearSandbox } from "@/components/sandbox/queries"
import { checkNames, checks, verdictWords, type AuthCheck } from "@/components/sandbox/verdicts"

const refreshMs = 5_000

/** Messages in the sandbox, newest first; new ones appear automatically. */
export function SandboxMailbox({ projectId, sending }: { projectId: string; sending: FirstSending }) {
  const [filters, setFilters] = useQueryStates(mailboxFilters)
  const list = useQuery({
    ...messagesQuery(projectId, filters),
    placeholderData: keepPreviousData,
    refetchInterval: refreshMs,
  })
  const clear = () => void setFilters(null, { history: "push" })
  return (
    <>
      <div role="search" aria-label="Messages" className="mb-4 flex flex-wrap justify-between gap-2">
        <FilterInput
          label="Recipient, sender or subject"
          value={filters.search}
          onChange={(search, history) => void setFilters({ search, page: 1 }, { history })}
          className="w-full sm:w-96"
        />
        {list.data?.data.length ? <DeleteAll projectId={projectId} /> : null}
      </div>
      <ResourceList
        wide
        label="Messages"
        list={list}
        page={[filters.page, (page) => void setFilters({ page }, { history: "push" })]}
        columns={columns}
        keyOf={({ id }) => id}
        href={({ id }) => `/projects/${projectId}/sandbox/${id}`}
        empty={
          filters.search ? (
            <EmptyState title="No message matches" action={<Button onClick={clear}>Clear search</Button>}>
              Messages are kept for 7 days.
            </EmptyState>
          ) : (
            <NoMessages projectId={projectId} sending={sending} />
          )
        }
      />
    </>
  )
}

function DeleteAll({ projectId }: { projectId: string }) {
  const mayDelete = useMay("emails:send")
  const { mutateAsync } = useClearSandbox()
  async function confirmed() {
    await mutateAsync({ params: { projectId } })
    toast.success("The sandbox mailbox is empty")
  }
  if (!mayDelete) return null
  return (
    <ConfirmDialog
      trigger={<Button>Delete all</Button>}
      title="Delete all messages?"
      action="Delete messages"
      onConfirm={confirmed}
    >
      The whole mailbox is emptied, whatever is searched for. The emails and their events stay.
    </ConfirmDialog>
  )
}

function NoMessages({ projectId, sending }: { projectId: string; sending: FirstSending }) {
  return (
    <EmptyState icon={<Inbox />} title="The mailbox is empty" curl={useFirstCurl(projectId, sending)}>
      Send to any address: nothing leaves this machine. Each message appears here as its recipient would see it, with
      its DKIM, SPF and DMARC results.
    </EmptyState>
  )
}

/** On a small screen the verdicts are below the recipient, and the sender is on the message's page only. */
const columns: Column<SandboxMessage>[] = [
  {
    head: "To",
    width: "sm:w-[45%] xl:w-[28%]",
    cell: (message, href) => (
      <>
        <RowLink href={href} prefetch={false} className="block truncate" title={message.to}>
          {message.to}
        </RowLink>
        <span className="mt-0.5 block truncate text-muted sm:hidden">{message.subject ?? "(no subject)"}</span>
        <span className="mt-1.5 block xl:hidden">
          <Verdicts message={message} />
        </span>
        <RelativeTime at={message.receivedAt} className="mt-1 block text-xs text-muted sm:hidden" />
      </>
    ),
  },
  subjectColumn,
  {
    head: "From",
    from: "wide",
    width: "w-[18%]",
    truncate: true,
    muted: true,
    title: ({ from }) => from,
    cell: ({ from }) => addressWithoutName(from),
  },
  { head: "Verdicts", from: "xl", width: "w-86", cell: (message) => <Verdicts message={message} /> },
  receivedColumn,
]

function Verdicts({ message }: { message: SandboxMessage }) {
  return (
    <span className="flex flex-wrap gap-x-3 gap-y-1.5">
      {checks.map((check) => (
        <VerdictPill key={check} check={check} result={message[check]} />
      ))}
    </span>
  )
}

/** A check and its result; the explanation is in the tooltip. */
function VerdictPill({ check, result }: { check: AuthCheck; result: string }) {
  const { word, tone, means } = verdictWords(check, result)
  return (
    <Pill tone={tone} tip={means} inTable>
      {checkNames[check]} {word.toLowerCase()}
    </Pill>
  )
}

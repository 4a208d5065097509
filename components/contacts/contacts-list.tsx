"use client"

import { useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query"
import { useQueryStates } from "nuqs"
import { lazy, useCallback, useEffect, useRef, useState } from "react"
import { May, useMay } from "@/components/access/powers"
import type { ContactRows } from "@/components/contacts/contact-rows"
import { ContactsTable } from "@/components/contacts/contacts-table"
import { contactFilters, type ContactFilters, hasContactFilters, contactListQuery } from "@/components/contacts/filters"
import { type Contact, type ContactPage, endlessContacts } from "@/components/contacts/queries"
import { AddDialog } from "@/components/data/add-dialog"
import { postCurl } from "@/components/data/curl"
import { FilterInput, type FilterStep } from "@/components/data/filter-input"
import { FirstAction } from "@/components/data/first-action"
import { LoadError } from "@/components/data/load-error"
import { allSegmentsQuery, topicsQuery } from "@/components/segments/queries"
import { Button, ButtonLink } from "@/components/ui/button"
import { Card, CardFooter } from "@/components/ui/card"
import { cn } from "@/components/ui/cn"
import { EmptyState } from "@/components/ui/empty-state"
import { EndlessFrame, type EndlessRest } from "@/components/ui/endless"
import { Select } from "@/components/ui/select"
import { SkeletonRows } from "@/components/ui/loading"
import { formatNumber } from "@/lib/platform/format"
import { addressOf } from "@/components/data/call"
import { ExportLink } from "@/components/data/export-link"

const loadForm = () => import("@/components/contacts/add-contact-form")
const AddContactForm = lazy(loadForm)

/** The contacts of a project, loaded as one scrolls; the filters are in the URL. */
export function ContactsList({ projectId, baseUrl }: { projectId: string; baseUrl: string }) {
  const [filters, setFilters] = useQueryStates(contactFilters)
  const change = useCallback(
    (next: Partial<ContactFilters>, history: FilterStep) => void setFilters(next, { history }),
    [setFilters],
  )
  const clear = useCallback(() => void setFilters(null, { history: "push" }), [setFilters])
  const contacts = useInfiniteQuery(endlessContacts(useQueryClient(), projectId, contactListQuery(filters)))
  const filtered = hasContactFilters(filters)
  const rows = contacts.data?.pages.flatMap(({ data }) => data) ?? []
  const total = contacts.data?.pages.at(-1)?.page.total ?? 0
  return (
    <>
      <ContactsFilters projectId={projectId} filters={filters} onChange={change} onClear={clear} />
      <Card data-list aria-label="Contacts" aria-busy={contacts.isPlaceholderData}>
        {contacts.isPending ? <SkeletonRows rows={10} label="Loading contacts" /> : null}
        {contacts.isError && !contacts.data ? (
          <LoadError error={contacts.error} onRetry={() => void contacts.refetch()} retrying={contacts.isFetching} />
        ) : null}
        {contacts.data && rows.length === 0 ? (
          <NoContacts projectId={projectId} baseUrl={baseUrl} filtered={filtered} onClear={clear} />
        ) : null}
        {rows.length > 0 ? (
          <>
            <EndlessContacts
              key={JSON.stringify(filters)}
              projectId={projectId}
              contacts={rows}
              total={isCounted(filters, total) ? total : undefined}
              rest={{
                more: contacts.hasNextPage,
                // Rows of the previous filters are still shown, so there is no next page to load.
                loading: contacts.isFetchingNextPage || contacts.isPlaceholderData,
                failed: contacts.isFetchNextPageError,
                onMore: () => void contacts.fetchNextPage(),
              }}
            />
            <CardFooter className="text-muted">
              <span role="status" className="tabular-nums">
                {countOf(contacts.data?.pages[0], isCounted(filters, total))}
              </span>
            </CardFooter>
          </>
        ) : null}
      </Card>
    </>
  )
}

/** The API counts a search, and several filters at once, up to here. */
const countedMax = 10_000

function isCounted({ search, state, segment, topic }: ContactFilters, total: number): boolean {
  const several = [state, segment, topic].filter(Boolean).length > 1
  return total < countedMax || !(search || several)
}

function countOf(page: ContactPage | undefined, counted: boolean): string {
  const total = page?.page.total ?? 0
  return `${formatNumber(total)}${counted ? "" : " or more"} ${total === 1 ? "contact" : "contacts"}`
}

type NoContactsProps = { projectId: string; baseUrl: string; filtered: boolean; onClear: () => void }

function NoContacts({ projectId, baseUrl, filtered, onClear }: NoContactsProps) {
  const may = useMay("contacts:write")
  if (filtered) {
    return (
      <EmptyState title="No contacts match" action={<Button onClick={onClear}>Clear filters</Button>}>
        Search matches part of the address or name.
      </EmptyState>
    )
  }
  return (
    <EmptyState
      title="No contacts yet"
      curl={may ? addContactCurl(baseUrl, projectId) : undefined}
      action={
        <>
          <FirstAction permission="contacts:write" opens="add-contact">
            Add contact
          </FirstAction>
          <May permission="contacts:write">
            <ButtonLink href={`/projects/${projectId}/contacts/imports/new`}>Import a CSV file</ButtonLink>
          </May>
        </>
      }
    >
      Contacts are the people you send email to. Each has a name, custom properties and preferences; use segments and
      topics to group them.
    </EmptyState>
  )
}

/** The command that adds a contact, for the page that has none yet. */
function addContactCurl(baseUrl: string, projectId: string): string {
  return postCurl(`${baseUrl}/v1/projects/${projectId}/contacts`, { email: "ada@example.com", firstName: "Ada" })
}

export function AddContact({ projectId }: { projectId: string }) {
  return (
    <AddDialog
      action="Add contact"
      intent="add-contact"
      description="Set properties, segments and topics on the contact's page."
      load={loadForm}
    >
      {() => <AddContactForm projectId={projectId} />}
    </AddDialog>
  )
}

type Props = {
  projectId: string
  filters: ContactFilters
  onChange: (change: Partial<ContactFilters>, step: FilterStep) => void
  onClear: () => void
}

const states = [
  { value: "", label: "Any state" },
  { value: "subscribed", label: "Subscribed" },
  { value: "unsubscribed", label: "Unsubscribed" },
]

function ContactsFilters({ projectId, filters, onChange, onClear }: Props) {
  const segments = useQuery(allSegmentsQuery(projectId)).data?.data ?? []
  const topics = useQuery(topicsQuery(projectId)).data?.data ?? []
  return (
    <div
      role="search"
      aria-label="Contacts"
      className={cn(
        "mb-4 grid grid-cols-2 gap-2 max-sm:[&>:nth-child(4):last-child]:col-span-full sm:grid-cols-3",
        hasContactFilters(filters)
          ? "lg:grid-cols-[1fr_152px_180px_180px_auto]"
          : "lg:grid-cols-[1fr_152px_180px_180px]",
      )}
    >
      <FilterInput
        label="Address or name"
        value={filters.search}
        onChange={(search, step) => onChange({ search }, step)}
        className="col-span-full sm:w-full lg:col-span-1"
      />
      <Select
        aria-label="State"
        value={filters.state ?? ""}
        options={states}
        onChange={({ target }) => onChange({ state: (target.value || null) as ContactFilters["state"] }, "push")}
      />
      <Choice
        label="Segment"
        value={filters.segment}
        items={segments}
        onChange={(segment) => onChange({ segment }, "push")}
      />
      <Choice label="Topic" value={filters.topic} items={topics} onChange={(topic) => onChange({ topic }, "push")} />
      {hasContactFilters(filters) ? (
        <Button variant="ghost" onClick={onClear}>
          Clear
        </Button>
      ) : null}
    </div>
  )
}

type ChoiceProps = {
  label: string
  value: string
  items: { id: string; name: string }[]
  onChange: (id: string) => void
}

function Choice({ label, value, items, onChange }: ChoiceProps) {
  const known = items.some(({ id }) => id === value)
  return (
    <Select aria-label={label} value={value} onChange={({ target }) => onChange(target.value)}>
      <option value="">Any {label.toLowerCase()}</option>
      {value && !known ? <option value={value}>{value}</option> : null}
      {items.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </Select>
  )
}

type EndlessContactsProps = { projectId: string; contacts: Contact[]; total?: number; rest: EndlessRest }

/**
 * A list of one page is rendered as it is. A longer one has its own scrolling, whose code is loaded after the page: until
 * then its first rows are in the same frame, so that nothing moves.
 */
function EndlessContacts({ projectId, contacts, total, rest }: EndlessContactsProps) {
  const frame = useRef<HTMLDivElement>(null)
  const [long, setLong] = useState(rest.more)
  const [Rows, setRows] = useState<typeof ContactRows>()
  if (rest.more && !long) setLong(true)
  useEffect(() => {
    if (long) void import("@/components/contacts/contact-rows").then((module) => setRows(() => module.ContactRows))
  }, [long])

  const plain = <ContactsTable projectId={projectId} contacts={contacts} total={total} />
  if (!long) return plain
  return (
    <EndlessFrame label="Contacts, newest first" frame={frame}>
      {Rows ? <Rows projectId={projectId} contacts={contacts} total={total} rest={rest} frame={frame} /> : plain}
    </EndlessFrame>
  )
}

/** All contacts, or what the filters of the address leave of them; the browser takes it as a download while it is being read. */
export function ExportContacts({ projectId }: { projectId: string }) {
  const [filters] = useQueryStates(contactFilters)
  const query = contactListQuery(filters)
  return (
    <ExportLink
      href={addressOf("GET /v1/projects/{projectId}/contacts/export", { params: { projectId }, query }).address}
    />
  )
}

"use client"

import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query"
import { useQueryStates } from "nuqs"
import { lazy, useCallback } from "react"
import { formatNumber } from "@/lib/platform/format"
import { postCurl } from "@/components/data/curl"
import type { Step } from "@/components/data/filter-input"
import { LoadError } from "@/components/data/load-error"
import { addressOf } from "@/components/data/route"
import { Button } from "@/components/ui/button"
import { Card, CardFooter } from "@/components/ui/card"
import { EmptyState } from "@/components/ui/empty-state"
import { SkeletonRows } from "@/components/ui/skeleton"
import { ContactsFilters } from "@/components/contacts/contacts-filters"
import { EndlessContacts } from "@/components/contacts/endless-contacts"
import { contactFilters, isFiltered, toListQuery, type ContactFilters } from "@/components/contacts/filters"
import { endlessContacts, type ContactPage } from "@/components/contacts/queries"
import { AddDialog } from "@/components/data/add-dialog"

const loadForm = () => import("@/components/contacts/add-contact-form")
const AddContactForm = lazy(loadForm)

/** The contacts of a project, loaded as one scrolls; the filters are in the URL. */
export function ContactsList({ projectId, baseUrl }: { projectId: string; baseUrl: string }) {
  const [filters, setFilters] = useQueryStates(contactFilters)
  const change = useCallback(
    (next: Partial<ContactFilters>, history: Step) => void setFilters(next, { history }),
    [setFilters],
  )
  const clear = useCallback(() => void setFilters(null, { history: "push" }), [setFilters])
  const contacts = useInfiniteQuery(endlessContacts(useQueryClient(), projectId, toListQuery(filters)))
  const filtered = isFiltered(filters)
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
              <a href={exportAddress(projectId, filters)} download className="text-accent underline underline-offset-2">
                {filtered ? "Export these contacts as CSV" : "Export all contacts as CSV"}
              </a>
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

/** All contacts, or what the filters leave of them; the browser takes it as a download while it is being read. */
function exportAddress(projectId: string, filters: ContactFilters): string {
  return addressOf("GET /v1/projects/{projectId}/contacts/export", {
    params: { projectId },
    query: toListQuery(filters),
  }).address
}

type NoContactsProps = { projectId: string; baseUrl: string; filtered: boolean; onClear: () => void }

function NoContacts({ projectId, baseUrl, filtered, onClear }: NoContactsProps) {
  if (filtered) {
    return (
      <EmptyState title="No contacts match" action={<Button onClick={onClear}>Clear filters</Button>}>
        Search matches part of the address or name.
      </EmptyState>
    )
  }
  return (
    <EmptyState title="No contacts yet" curl={addContactCurl(baseUrl, projectId)}>
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

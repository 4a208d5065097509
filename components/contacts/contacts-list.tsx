"use client"

import { keepPreviousData, useQuery, type UseQueryResult } from "@tanstack/react-query"
import { useQueryStates } from "nuqs"
import { useCallback } from "react"
import type { Step } from "@/components/emails/filter-input"
import { LoadError } from "@/components/emails/load-error"
import { addressOf } from "@/components/api/route"
import { May } from "@/components/access/powers"
import { Button } from "@/components/ui/button"
import { Card, CardFooter } from "@/components/ui/card"
import { EmptyState } from "@/components/ui/empty-state"
import { Pagination } from "@/components/ui/pagination"
import { SkeletonRows } from "@/components/ui/skeleton"
import { AddContact } from "./add-contact"
import { ContactsFilters } from "./contacts-filters"
import { ContactsTable } from "./contacts-table"
import { addContactCurl } from "./curl"
import { contactFilters, isFiltered, toListQuery, type ContactFilters } from "./filters"
import { contactsQuery, type ContactPage } from "./queries"

/** The people of a project: filters and page stand in the address. */
export function ContactsList({ projectId, baseUrl }: { projectId: string; baseUrl: string }) {
  const [filters, setFilters] = useQueryStates(contactFilters)
  const change = useCallback(
    (next: Partial<ContactFilters>, history: Step) => void setFilters({ ...next, page: 1 }, { history }),
    [setFilters],
  )
  const clear = useCallback(() => void setFilters(null, { history: "push" }), [setFilters])
  const contacts = useQuery({ ...contactsQuery(projectId, toListQuery(filters)), placeholderData: keepPreviousData })
  const filtered = isFiltered(filters)
  return (
    <>
      <ContactsFilters projectId={projectId} filters={filters} onChange={change} onClear={clear} />
      <Card aria-label="Contacts">
        <Listed contacts={contacts} projectId={projectId} baseUrl={baseUrl} filtered={filtered} onClear={clear} />
        {contacts.data ? (
          <Pagination
            page={contacts.data.page.page}
            hasNext={contacts.data.page.hasNextPage}
            hasPrevious={contacts.data.page.hasPreviousPage}
            total={contacts.data.page.total}
            totalPages={contacts.data.page.totalPages}
            noun="contacts"
            pending={contacts.isPlaceholderData}
            onPage={(page) => void setFilters({ page }, { history: "push" })}
          />
        ) : null}
        {contacts.data?.data.length ? (
          <CardFooter className="text-muted">
            <a href={exportAddress(projectId, filters)} download className="text-accent underline underline-offset-2">
              {filtered ? "Export these contacts as CSV" : "Export all contacts as CSV"}
            </a>
          </CardFooter>
        ) : null}
      </Card>
    </>
  )
}

/** All contacts, or what the filters leave of them; the browser takes it as a download while it is being read. */
function exportAddress(projectId: string, filters: ContactFilters): string {
  const { page: _page, ...chosen } = toListQuery(filters)
  return addressOf("GET /v1/projects/{projectId}/contacts/export", { params: { projectId }, query: chosen }).address
}

type ListedProps = { contacts: UseQueryResult<ContactPage>; projectId: string; baseUrl: string; filtered: boolean; onClear: () => void }

function Listed({ contacts, projectId, baseUrl, filtered, onClear }: ListedProps) {
  if (contacts.isPending) return <SkeletonRows rows={10} label="Loading contacts" />
  if (contacts.isError && !contacts.data) {
    return <LoadError error={contacts.error} onRetry={() => void contacts.refetch()} retrying={contacts.isFetching} />
  }
  if (contacts.data.data.length > 0) return <ContactsTable projectId={projectId} contacts={contacts.data.data} />
  if (filtered) {
    return (
      <EmptyState title="Nobody matches" action={<Button onClick={onClear}>Clear filters</Button>}>
        The search looks for a part of the address or the name.
      </EmptyState>
    )
  }
  return (
    <EmptyState
      title="Add the people you write to"
      action={<May permission="contacts:write"><AddContact projectId={projectId} /></May>}
      curl={addContactCurl(baseUrl, projectId)}
    >
      A contact has a name, properties of your own, and a say in which emails it gets. Segments and topics choose among
      contacts.
    </EmptyState>
  )
}

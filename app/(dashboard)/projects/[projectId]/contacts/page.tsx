import type { Metadata } from "next"
import { createLoader, type SearchParams } from "nuqs/server"
import { May } from "@/components/access/powers"
import { Prefetch } from "@/components/data/prefetch"
import { AddContact, ContactsList, ExportContacts } from "@/components/contacts/contacts-list"
import { contactFilters, contactListQuery } from "@/components/contacts/filters"
import { contactsQuery } from "@/components/contacts/queries"
import { ButtonLink } from "@/components/ui/button"
import { NuqsAdapter } from "nuqs/adapters/next/app"
import { PageHeader } from "@/components/ui/page-header"
import { env } from "@/lib/platform/env/env"

export const metadata: Metadata = { title: "Contacts" }

type Props = { params: Promise<{ projectId: string }>; searchParams: Promise<SearchParams> }

const loadFilters = createLoader(contactFilters)

export default async function ContactsPage({ params, searchParams }: Props) {
  const { projectId } = await params
  const filters = await loadFilters(searchParams)
  return (
    <NuqsAdapter>
      <PageHeader
        title="Contacts"
        meta={["The people you write to, with their preferences."]}
        actions={
          <>
            <ButtonLink href={`/projects/${projectId}/contacts/imports`}>Imports</ButtonLink>
            <ExportContacts projectId={projectId} />
            <May permission="contacts:write">
              <AddContact projectId={projectId} />
            </May>
          </>
        }
      />
      <Prefetch queries={[contactsQuery(projectId, contactListQuery(filters))]}>
        <ContactsList projectId={projectId} baseUrl={env().baseUrl} />
      </Prefetch>
    </NuqsAdapter>
  )
}

import type { Metadata } from "next"
import { Only } from "@/components/access/only"
import { Prefetch } from "@/components/data/prefetch"
import { NewImport } from "@/components/contacts/imports/new-import"
import { allSegmentsQuery, propertiesQuery } from "@/components/segments/queries"
import { PageHeader } from "@/components/ui/page-header"

export const metadata: Metadata = { title: "Import contacts" }

export default async function NewImportPage({ params }: { params: Promise<{ projectId: string }> }) {
  const { projectId } = await params
  const root = `/projects/${projectId}/contacts`
  return (
    <>
      <PageHeader
        crumbs={[{ label: "Contacts", href: root }, { label: "Imports", href: `${root}/imports` }, { label: "New" }]}
        title="Import contacts"
      />
      <Only permission="contacts:write" projectId={projectId} act="import contacts">
        <Prefetch queries={[propertiesQuery(projectId), allSegmentsQuery(projectId)]}>
          <NewImport projectId={projectId} />
        </Prefetch>
      </Only>
    </>
  )
}

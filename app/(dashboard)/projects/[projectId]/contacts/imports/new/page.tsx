import type { Metadata } from "next"
import { Only } from "@/components/access/only"
import { Prefetch } from "@/components/data/prefetch"
import { MapAgain, NewImport } from "@/components/contacts/imports/new-import"
import { allSegmentsQuery, propertiesQuery } from "@/components/segments/queries"
import { PageHeader } from "@/components/ui/page-header"

export const metadata: Metadata = { title: "Import contacts" }

type Props = { params: Promise<{ projectId: string }>; searchParams: Promise<{ from?: string | string[] }> }

/** Of a file, or of the one that the dry run `from` has kept. */
export default async function NewImportPage({ params, searchParams }: Props) {
  const [{ projectId }, { from }] = await Promise.all([params, searchParams])
  const root = `/projects/${projectId}/contacts`
  return (
    <>
      <PageHeader
        crumbs={[{ label: "Contacts", href: root }, { label: "Imports", href: `${root}/imports` }, { label: "New" }]}
        title="Import contacts"
      />
      <Only permission="contacts:write" projectId={projectId} act="import contacts">
        <Prefetch queries={[propertiesQuery(projectId), allSegmentsQuery(projectId)]}>
          {typeof from === "string" ? (
            <MapAgain projectId={projectId} importId={from} />
          ) : (
            <NewImport projectId={projectId} />
          )}
        </Prefetch>
      </Only>
    </>
  )
}

import type { Metadata } from "next"
import { May } from "@/components/access/powers"
import { Prefetch } from "@/components/data/prefetch"
import { ImportList } from "@/components/contacts/imports/import-list"
import { importsQuery } from "@/components/contacts/imports/queries"
import { ButtonLink } from "@/components/ui/button"
import { PageHeader } from "@/components/ui/page-header"

export const metadata: Metadata = { title: "Imports" }

type Props = {
  params: Promise<{ projectId: string }>
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

export default async function ImportsPage({ params, searchParams }: Props) {
  const { projectId } = await params
  const page = Math.max(1, Number.parseInt(String((await searchParams).page), 10) || 1)
  const root = `/projects/${projectId}/contacts`
  return (
    <>
      <PageHeader
        crumbs={[{ label: "Contacts", href: root }, { label: "Imports" }]}
        title="Imports"
        actions={
          <May permission="contacts:write">
            <ButtonLink variant="primary" href={`${root}/imports/new`}>
              Import a CSV file
            </ButtonLink>
          </May>
        }
      />
      <Prefetch queries={[importsQuery(projectId, page)]}>
        <ImportList projectId={projectId} />
      </Prefetch>
    </>
  )
}

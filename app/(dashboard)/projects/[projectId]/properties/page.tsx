import type { Metadata } from "next"
import { May } from "@/components/access/powers"
import { Prefetch } from "@/components/data/prefetch"
import { AddProperty, PropertiesList } from "@/components/contact-properties/properties-list"
import { propertyListQuery } from "@/components/contact-properties/queries"
import { PageHeader } from "@/components/ui/page-header"
import { env } from "@/lib/platform/env/env"

export const metadata: Metadata = { title: "Properties" }

type Props = {
  params: Promise<{ projectId: string }>
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

export default async function PropertiesPage({ params, searchParams }: Props) {
  const { projectId } = await params
  const page = Math.max(1, Number.parseInt(String((await searchParams).page), 10) || 1)
  return (
    <>
      <PageHeader
        title="Properties"
        meta={["Your own fields for contacts. Segments can filter by them."]}
        actions={
          <May permission="contacts:write">
            <AddProperty projectId={projectId} />
          </May>
        }
      />
      <Prefetch queries={[propertyListQuery(projectId, page)]}>
        <PropertiesList projectId={projectId} baseUrl={env().baseUrl} />
      </Prefetch>
    </>
  )
}

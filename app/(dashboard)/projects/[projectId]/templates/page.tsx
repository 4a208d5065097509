import type { Metadata } from "next"
import { May } from "@/components/access/powers"
import { Prefetch } from "@/components/data/prefetch"
import { templateListQuery } from "@/components/templates/queries"
import { AddTemplate, TemplatesList } from "@/components/templates/templates-list"
import { PageHeader } from "@/components/ui/page-header"
import { env } from "@/lib/platform/env/env"

export const metadata: Metadata = { title: "Templates" }

type Props = {
  params: Promise<{ projectId: string }>
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

export default async function TemplatesPage({ params, searchParams }: Props) {
  const { projectId } = await params
  const page = Math.max(1, Number.parseInt(String((await searchParams).page), 10) || 1)
  return (
    <>
      <PageHeader
        title="Templates"
        meta={["Subjects and bodies with placeholders, for emails and broadcasts."]}
        actions={
          <May permission="emails:send">
            <AddTemplate projectId={projectId} />
          </May>
        }
      />
      <Prefetch queries={[templateListQuery(projectId, page)]}>
        <TemplatesList projectId={projectId} baseUrl={env().baseUrl} />
      </Prefetch>
    </>
  )
}

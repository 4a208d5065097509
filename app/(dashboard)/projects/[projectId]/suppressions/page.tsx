import type { Metadata } from "next"
import { createLoader, type SearchParams } from "nuqs/server"
import { May } from "@/components/access/powers"
import { Prefetch } from "@/components/data/prefetch"
import {
  AddSuppression,
  ImportSuppressions,
  ExportSuppressions,
  SuppressionsList,
} from "@/components/suppressions/suppressions-list"
import { suppressionFilters } from "@/components/suppressions/filters"
import { suppressionsQuery } from "@/components/suppressions/queries"
import { NuqsAdapter } from "nuqs/adapters/next/app"
import { PageHeader } from "@/components/ui/page-header"
import { env } from "@/lib/platform/env/env"

export const metadata: Metadata = { title: "Suppressions" }

type Props = { params: Promise<{ projectId: string }>; searchParams: Promise<SearchParams> }

const loadFilters = createLoader(suppressionFilters)

export default async function SuppressionsPage({ params, searchParams }: Props) {
  const { projectId } = await params
  const filters = await loadFilters(searchParams)
  return (
    <>
      <PageHeader
        title="Suppressions"
        meta={["Addresses that get no email from this project, each with the reason."]}
        actions={
          <>
            <ExportSuppressions projectId={projectId} />
            <May permission="suppressions:write">
              <ImportSuppressions projectId={projectId} />
              <AddSuppression projectId={projectId} />
            </May>
          </>
        }
      />
      <Prefetch queries={[suppressionsQuery(projectId, filters)]}>
        <NuqsAdapter>
          <SuppressionsList projectId={projectId} baseUrl={env().baseUrl} />
        </NuqsAdapter>
      </Prefetch>
    </>
  )
}

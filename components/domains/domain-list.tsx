"use client"

import { keepPreviousData, useQuery } from "@tanstack/react-query"
import type { ReactNode } from "react"
import { problemOf } from "@/components/data/problem"
import { usePageParam } from "@/components/layout/use-address-param"
import { Button } from "@/components/ui/button"
import { Card } from "@/components/ui/card"
import { EmptyState } from "@/components/ui/empty-state"
import { ErrorState } from "@/components/ui/error-state"
import { PageHeader } from "@/components/ui/page-header"
import { Pagination } from "@/components/ui/pagination"
import { SkeletonRows } from "@/components/ui/skeleton"
import { AddDomain } from "@/components/domains/add-domain"
import type { RegionChoice } from "@/components/domains/add-domain-form"
import { DomainTable } from "@/components/domains/domain-table"
import { addDomainCurl } from "@/components/domains/curl"
import { listPollMs } from "@/components/domains/live"
import { domainsQuery } from "@/components/domains/queries"

type DomainListProps = {
  projectId: string
  mayWrite: boolean
  /** Home region first. */
  regions: RegionChoice[]
  /** Origin of the API, for the command to copy. */
  baseUrl: string
}

export function DomainList({ projectId, mayWrite, regions, baseUrl }: DomainListProps) {
  const [page, setPage] = usePageParam()
  const { data, error, refetch, isFetching, isPlaceholderData } = useQuery({
    ...domainsQuery(projectId, page),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => listPollMs((state.data?.data ?? []).map(({ status }) => status)),
  })
  const add = mayWrite ? <AddDomain projectId={projectId} regions={regions} /> : null

  return (
    <>
      <PageHeader
        title="Domains"
        meta={["The domains you send from. DNS records prove that each is yours."]}
        actions={data?.page.total === 0 ? null : add}
      />
      <Card data-list aria-label="Domains" aria-busy={isPlaceholderData}>
        {data ? (
          <>
            {data.data.length > 0 ? (
              <DomainTable projectId={projectId} items={data.data} />
            ) : data.page.total > 0 ? (
              <EmptyState title="Nothing on this page" action={<Button onClick={() => setPage(1)}>First page</Button>}>
                Domains were deleted, so this page is empty.
              </EmptyState>
            ) : (
              <NoDomains curl={addDomainCurl(baseUrl, projectId, regions)}>{add}</NoDomains>
            )}
            <Pagination
              page={page}
              hasNext={data.page.hasNextPage}
              hasPrevious={data.page.hasPreviousPage}
              total={data.page.total}
              totalPages={data.page.totalPages}
              noun={data.page.total === 1 ? "domain" : "domains"}
              onPage={setPage}
              pending={isPlaceholderData}
            />
          </>
        ) : error ? (
          <Failed error={error} onRetry={() => void refetch()} retrying={isFetching} />
        ) : (
          <SkeletonRows />
        )}
      </Card>
    </>
  )
}

function NoDomains({ curl, children }: { curl: string; children: ReactNode }) {
  return (
    <EmptyState title="Add the domain you send from" action={children} curl={curl}>
      You get a few DNS records to publish. Once they are found, your email is signed with your domain. This takes a few
      minutes.
    </EmptyState>
  )
}

function Failed({ error, onRetry, retrying }: { error: Error; onRetry: () => void; retrying: boolean }) {
  const { detail, title, requestId } = problemOf(error)
  return <ErrorState message={detail ?? title} requestId={requestId} onRetry={onRetry} retrying={retrying} />
}

"use client"

import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { NotLoaded } from "@/components/data/load-error"
import { Pagination } from "@/components/ui/pagination"
import { CheckLines, checkLines } from "@/components/domains/checks"
import { checksQuery, type Domain } from "@/components/domains/queries"
import { standbyOf } from "@/components/domains/records"

/** One page of a domain's checks. */
export default function ChecksHistory({ domain, projectId }: { domain: Domain; projectId: string }) {
  const [at, setAt] = useState(1)
  const checks = useQuery({ ...checksQuery(projectId, domain.id, at), placeholderData: keepPreviousData })
  if (!checks.data) return <NotLoaded read={checks} label="checks" rows={6} />
  const { page, totalPages, total, hasNextPage, hasPreviousPage } = checks.data.page
  return (
    <>
      {/* A page begins at its top. */}
      <div
        key={page}
        className="-mx-5 max-h-[60vh] overflow-y-auto"
        tabIndex={0}
        role="region"
        aria-label="History of checks"
      >
        <CheckLines lines={checkLines(checks.data.data, hasNextPage, standbyOf(domain))} />
      </div>
      <div className="-mx-5">
        <Pagination
          page={page}
          total={total}
          totalPages={totalPages}
          noun="checks"
          hasNext={hasNextPage}
          hasPrevious={hasPreviousPage}
          onPage={setAt}
          pending={checks.isPlaceholderData}
        />
      </div>
    </>
  )
}

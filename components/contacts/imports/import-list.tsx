"use client"

import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { Upload } from "lucide-react"
import { formatNumber } from "@/lib/platform/format"
import { FirstAction } from "@/components/data/first-action"
import { ResourceList } from "@/components/data/resource-list"
import { usePageParam } from "@/components/layout/use-address-param"
import { EmptyState } from "@/components/ui/empty-state"
import { Pill } from "@/components/ui/pill"
import { RelativeTime } from "@/components/ui/relative-time"
import { RowLink, type Column } from "@/components/ui/table"
import { importsQuery, isOpen, type ContactImport } from "@/components/contacts/imports/queries"
import { importWords } from "@/components/contacts/imports/words"

/** Every import of the project, newest first; running ones update. */
export function ImportList({ projectId }: { projectId: string }) {
  const page = usePageParam()
  const list = useQuery({ ...importsQuery(projectId, page[0]), placeholderData: keepPreviousData })
  return (
    <ResourceList
      wide
      label="Imports"
      list={list}
      page={page}
      columns={columns}
      keyOf={({ id }) => id}
      href={({ id }) => `/projects/${projectId}/contacts/imports/${id}`}
      empty={
        <EmptyState
          title="No imports yet"
          action={
            <FirstAction
              permission="contacts:write"
              icon={<Upload />}
              href={`/projects/${projectId}/contacts/imports/new`}
            >
              Import a CSV file
            </FirstAction>
          }
        >
          An import reads a CSV file in the background, even with a million rows. Try it without writing first to see
          every invalid row.
        </EmptyState>
      }
    />
  )
}

const columns: Column<ContactImport>[] = [
  {
    head: "File",
    cell: ({ fileName, id, processed, failed, createdAt }, href) => (
      <>
        <RowLink href={href} className="block truncate">
          {fileName ?? id}
        </RowLink>
        <span className="mt-0.5 flex flex-wrap gap-x-3 text-xs text-muted tabular-nums sm:hidden">
          <span>
            {formatNumber(processed)} {processed === 1 ? "row" : "rows"}
            {failed > 0 ? `, ${formatNumber(failed)} rejected` : ""}
          </span>
          <RelativeTime at={createdAt} />
        </span>
      </>
    ),
  },
  {
    head: "State",
    width: "w-32 sm:w-36",
    className: "px-2",
    cell: (one) => {
      const { word, tone, tip } = importWords(one)
      return (
        <Pill tone={tone} tip={tip} inTable>
          {isOpen(one) && one.bytes ? `${word} ${Math.floor((100 * one.bytesRead) / one.bytes)}%` : word}
        </Pill>
      )
    },
  },
  {
    head: "Rows",
    from: "sm",
    width: "w-24",
    numeric: true,
    muted: true,
    cell: ({ processed }) => formatNumber(processed),
  },
  {
    head: "Rejected",
    from: "sm",
    width: "w-24",
    numeric: true,
    muted: true,
    cell: ({ failed }) => formatNumber(failed),
  },
  {
    head: "Started",
    from: "md",
    width: "w-36",
    muted: true,
    truncate: true,
    cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
  },
]

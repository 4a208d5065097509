"use client"

import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { useMay } from "@/components/access/powers"
import { LoadError } from "@/components/data/load-error"
import { usePageParam } from "@/components/layout/use-address-param"
import { Button } from "@/components/ui/button"
import { Card } from "@/components/ui/card"
import { ConfirmDialog } from "@/components/ui/confirm-dialog"
import { EmptyState } from "@/components/ui/empty-state"
import { Pagination } from "@/components/ui/pagination"
import { SkeletonRows } from "@/components/ui/skeleton"
import { Table, Td, Th } from "@/components/ui/table"
import { toast } from "@/components/ui/toast"
import { ChangeFallback } from "@/components/contact-properties/change-fallback"
import { propertyListQuery, useDeleteProperty, type Property } from "@/components/contact-properties/queries"

export function PropertiesList({ projectId, curl }: { projectId: string; curl: string }) {
  const [page, setPage] = usePageParam()
  const { data, error, refetch, isFetching, isPlaceholderData } = useQuery({
    ...propertyListQuery(projectId, page),
    placeholderData: keepPreviousData,
  })
  if (!data) {
    return (
      <Card data-list aria-label="Properties">
        {error ? (
          <LoadError error={error} onRetry={() => void refetch()} retrying={isFetching} />
        ) : (
          <SkeletonRows label="Loading properties" />
        )}
      </Card>
    )
  }
  return (
    <Card data-list aria-label="Properties" aria-busy={isPlaceholderData}>
      {data.data.length > 0 ? (
        <PropertiesTable projectId={projectId} properties={data.data} />
      ) : (
        <EmptyState title="No properties yet" curl={curl}>
          A property is a value that each contact can have, such as a plan or a number of visits. Segments can filter by
          it.
        </EmptyState>
      )}
      <Pagination
        page={page}
        hasNext={data.page.hasNextPage}
        hasPrevious={data.page.hasPreviousPage}
        total={data.page.total}
        totalPages={data.page.totalPages}
        noun="properties"
        pending={isPlaceholderData}
        onPage={setPage}
      />
    </Card>
  )
}

function PropertiesTable({ projectId, properties }: { projectId: string; properties: Property[] }) {
  const mayWrite = useMay("contacts:write")
  return (
    <Table label="Properties" minWidth="min-w-0">
      <thead>
        <tr>
          <Th>Key</Th>
          <Th className="hidden w-24 sm:table-cell">Type</Th>
          <Th className="hidden sm:table-cell">Fallback</Th>
          {mayWrite ? (
            <Th className="w-52">
              <span className="sr-only">Actions</span>
            </Th>
          ) : null}
        </tr>
      </thead>
      <tbody>
        {properties.map((property) => (
          <tr key={property.id}>
            <Td>
              <code className="block truncate" title={property.key}>
                {property.key}
              </code>
              <span className="mt-0.5 block text-sm text-muted [overflow-wrap:anywhere] sm:hidden">
                {typeWord(property.type)}
                {property.fallbackValue === undefined ? null : `, fallback ${property.fallbackValue}`}
              </span>
            </Td>
            <Td muted className="hidden sm:table-cell">
              {typeWord(property.type)}
            </Td>
            <Td truncate className="hidden sm:table-cell">
              {property.fallbackValue ?? <span className="text-faint">–</span>}
            </Td>
            {mayWrite ? (
              <Td numeric className="py-1">
                <span className="inline-flex flex-wrap justify-end gap-2">
                  <ChangeFallback projectId={projectId} property={property} />
                  <DeleteProperty projectId={projectId} property={property} />
                </span>
              </Td>
            ) : null}
          </tr>
        ))}
      </tbody>
    </Table>
  )
}

function typeWord(type: string): string {
  return type === "number" ? "Number" : "Text"
}

function DeleteProperty({ projectId, property }: { projectId: string; property: Property }) {
  const remove = useDeleteProperty()
  async function confirmed() {
    await remove.mutateAsync({ params: { projectId, propertyId: property.id } })
    toast.success(`${property.key} was deleted`)
  }
  return (
    <ConfirmDialog
      trigger={<Button aria-label={`Delete ${property.key}`}>Delete</Button>}
      title={`Delete ${property.key}?`}
      action="Delete property"
      typeName={property.key}
      onConfirm={confirmed}
    >
      Every contact loses its value, and segment conditions on it no longer match any contact. This cannot be undone.
    </ConfirmDialog>
  )
}

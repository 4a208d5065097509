"use client"

import { useQuery } from "@tanstack/react-query"
import { ImportSetup } from "@/components/contacts/imports/import-setup"
import { importQuery, importRoute, importsRoute, sampleQuery } from "@/components/contacts/imports/queries"
import { LoadError } from "@/components/data/load-error"
import { useCall } from "@/components/data/use-call"
import { propertiesQuery } from "@/components/segments/queries"
import { Card, CardHeader } from "@/components/ui/card"
import { SkeletonRows } from "@/components/ui/skeleton"
import { TextLink } from "@/components/ui/text-link"
import type { PropertyType } from "@/lib/contact-properties/rules"
import type { ColumnTarget } from "@/lib/contacts/imports/column-rules"

/** Maps the columns of a dry run's file again, which need not be uploaded again. */
export function MapAgain({ projectId, importId }: { projectId: string; importId: string }) {
  const properties = useQuery(propertiesQuery(projectId))
  const sample = useQuery(sampleQuery(projectId, importId))
  const before = useQuery(importQuery(projectId, importId))
  const run = useCall("POST /v1/projects/{projectId}/contact-imports/{importId}/run", [importRoute, importsRoute])
  const failed = [sample, before, properties].find(({ error }) => error)
  if (failed?.error)
    return (
      <Card aria-label="File">
        <LoadError error={failed.error} onRetry={() => void failed.refetch()} retrying={failed.isFetching} />
      </Card>
    )
  if (!sample.data || !before.data || !properties.data) return <SkeletonRows rows={6} label="Loading columns" />

  const one = before.data
  const fileName = one.fileName ?? "The file"
  return (
    <>
      <Card aria-label="File">
        <CardHeader
          title={fileName}
          description="It is still here from the dry run, so it need not be uploaded again."
          actions={<TextLink href={`/projects/${projectId}/contacts/imports/new`}>Choose another file</TextLink>}
        />
      </Card>
      <ImportSetup
        projectId={projectId}
        head={sample.data}
        declared={new Map(properties.data.data.map(({ key, type }) => [key, { type: type as PropertyType }]))}
        initial={{
          targets: one.columns.map(({ target }) => target as ColumnTarget),
          note: null,
          mode: one.mode,
          segmentId: one.segmentId,
        }}
        segmentName={fileName.replace(/\.[^.]*$/, "")}
        start={async (options) => (await run.mutateAsync({ params: { projectId, importId }, query: options })).id}
      />
    </>
  )
}

"use client"

import { useQuery } from "@tanstack/react-query"
import { formatNumber } from "@/lib/platform/format"
import { useMay } from "@/components/access/powers"
import { useCall } from "@/components/data/use-call"
import { PageNotLoaded } from "@/components/data/load-error"
import { Button, ButtonLink } from "@/components/ui/button"
import { Callout } from "@/components/ui/callout"
import { Card, CardBody, CardHeader } from "@/components/ui/card"
import { CopyText } from "@/components/ui/copy-text"
import { PageHeader } from "@/components/ui/page-header"
import { Pill } from "@/components/ui/pill"
import { Progress } from "@/components/ui/progress"
import { RelativeTime } from "@/components/ui/relative-time"
import { Stat, Stats } from "@/components/ui/stat"
import { ImportErrors } from "@/components/contacts/imports/import-errors"
import {
  importQuery,
  importRoute,
  importsRoute,
  isOpen,
  type ContactImport,
} from "@/components/contacts/imports/queries"
import { RunChecked } from "@/components/contacts/imports/run-checked"
import { encodingNames, importWords, targetWords } from "@/components/contacts/imports/words"

/** How far an import is, what became of its rows, and which were refused. */
export function ImportDetail({ projectId, importId }: { projectId: string; importId: string }) {
  const read = useQuery(importQuery(projectId, importId))
  const root = `/projects/${projectId}/contacts`
  const lists = [
    { label: "Contacts", href: root },
    { label: "Imports", href: `${root}/imports` },
  ]
  if (!read.data) return <PageNotLoaded of="Import" lists={lists} read={read} />
  const one = read.data
  const { word, tone, tip } = importWords(one)
  return (
    <>
      <PageHeader
        crumbs={[...lists, { label: one.fileName ?? one.id }]}
        title={one.fileName ?? "Import"}
        pill={
          <Pill tone={tone} tip={tip}>
            {word}
          </Pill>
        }
        meta={[
          one.dryRun ? "Dry run: nothing is written" : null,
          one.encoding && one.encoding !== "utf-8" ? `Read as ${encodingNames[one.encoding]}` : null,
          <>
            Started <RelativeTime key="at" at={one.createdAt} />
          </>,
          <CopyText key="id" value={one.id} name="import id" inline />,
        ]}
        actions={<Actions projectId={projectId} one={one} />}
      />
      {one.failure ? (
        <Callout tone="bad" title="It ended before the end of the file">
          {one.failure} What came before it {one.dryRun ? "was checked" : "was imported"}.
        </Callout>
      ) : null}
      {one.fileUntil && one.created + one.updated ? (
        <RunChecked projectId={projectId} one={one} fileUntil={one.fileUntil} />
      ) : null}
      <Card aria-label="Progress">
        <CardBody>
          <p className="mb-2 flex justify-between gap-4 text-muted" aria-live="polite">
            <span>{formatNumber(one.processed)} rows read</span>
            <span className="tabular-nums">{percent(one)}%</span>
          </p>
          <Progress
            label="Read"
            value={one.bytesRead}
            max={one.bytes}
            tone={one.status === "failed" ? "bad" : "accent"}
          />
        </CardBody>
        <Stats>
          <Stat label={one.dryRun ? "Would be added" : "Added"} value={formatNumber(one.created)} />
          <Stat label={one.dryRun ? "Would be changed" : "Changed"} value={formatNumber(one.updated)} />
          <Stat label="Unchanged" value={formatNumber(one.skipped)} />
          <Stat label="Rejected" value={formatNumber(one.failed)} />
        </Stats>
      </Card>
      {one.failed ? <ImportErrors projectId={projectId} importId={importId} total={one.failed} /> : null}
      <Card aria-label="Columns">
        <CardHeader title="Columns" />
        <CardBody>
          <ul className="grid gap-x-6 gap-y-1 sm:grid-cols-2">
            {one.columns.map(({ name, target }, at) => (
              <li key={`${at}-${name}`} className="flex min-w-0 justify-between gap-4">
                <span className="truncate">{name || "Without a name"}</span>
                <span className={target ? "text-muted" : "text-faint"}>{targetWords(target)}</span>
              </li>
            ))}
          </ul>
        </CardBody>
      </Card>
    </>
  )
}

function Actions({ projectId, one }: { projectId: string; one: ContactImport }) {
  const mayWrite = useMay("contacts:write")
  const cancel = useCall("POST /v1/projects/{projectId}/contact-imports/{importId}/cancel", [importRoute, importsRoute])
  if (!mayWrite) return null
  if (isOpen(one)) {
    return (
      <Button loading={cancel.isPending} onClick={() => cancel.mutate({ params: { projectId, importId: one.id } })}>
        Cancel import
      </Button>
    )
  }
  const root = `/projects/${projectId}`
  return (
    <>
      <ButtonLink href={`${root}/contacts/imports/new`}>Import another file</ButtonLink>
      {one.dryRun || one.created + one.updated === 0 ? null : (
        <ButtonLink
          variant="primary"
          href={one.segmentId ? `${root}/segments/${one.segmentId}` : `${root}/segments/new`}
        >
          {one.segmentId ? "Open segment" : "Create segment"}
        </ButtonLink>
      )}
    </>
  )
}

function percent({ bytes, bytesRead, status }: ContactImport): number {
  return status === "completed" || bytes === 0 ? 100 : Math.floor((100 * bytesRead) / bytes)
}

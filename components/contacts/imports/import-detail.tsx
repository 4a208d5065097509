"use client"

import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { useRouter } from "next/navigation"
import { useState } from "react"
import { May, useMay } from "@/components/access/powers"
import {
  type ContactImport,
  type ImportError,
  importErrorsQuery,
  importQuery,
  importRoute,
  importsRoute,
  isOpen,
} from "@/components/contacts/imports/queries"
import { encodingNames, formatWords, importWords, targetWords } from "@/components/contacts/imports/words"
import { addressOf, problemOf } from "@/components/data/call"
import { PageNotLoaded } from "@/components/data/page-not-loaded"
import { ResourceList } from "@/components/data/resource-list"
import { useCall, useOneAtATime } from "@/components/data/use-call"
import { Button, ButtonLink } from "@/components/ui/button"
import { Callout } from "@/components/ui/callout"
import { Card, CardBody, CardHeader } from "@/components/ui/card"
import { cn } from "@/components/ui/cn"
import { CopyText } from "@/components/ui/copy-button"
import { PageHeader } from "@/components/ui/page-header"
import { Pill } from "@/components/ui/pill"
import { ProgressBar } from "@/components/ui/loading"
import { RelativeTime } from "@/components/ui/relative-time"
import { Stat, Stats } from "@/components/ui/stat"
import { type Column, DataTable } from "@/components/ui/table"
import { toast } from "@/components/ui/toast"
import { countText, formatNumber } from "@/lib/platform/format"

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
          one.dryRun ? "Dry run: no contact is written" : null,
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
      {one.fileUntil ? <RunChecked projectId={projectId} one={one} fileUntil={one.fileUntil} /> : null}
      <Card aria-label="Progress">
        <CardBody>
          <p className="mb-2 flex justify-between gap-4 text-muted" aria-live="polite">
            <span>{countText(one.processed, "row")} read</span>
            <span className="tabular-nums">{percent(one)}%</span>
          </p>
          <ProgressBar
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
      {one.failed ? <RejectedReasons projectId={projectId} one={one} /> : null}
      {one.failed ? <ImportErrors projectId={projectId} importId={importId} total={one.failed} /> : null}
      <Card aria-label="Columns">
        <CardHeader title="Columns" />
        <CardBody>
          <ul className="grid gap-x-6 gap-y-1 sm:grid-cols-2">
            {one.columns.map(({ name, target, format }, at) => (
              <li key={`${at}-${name}`} className="flex min-w-0 justify-between gap-4">
                <span className="truncate">{name || "Without a name"}</span>
                <span className={cn("text-right", target ? "text-muted" : "text-faint")}>
                  {targetWords(target)}
                  {format ? `, ${formatWords(format)}` : null}
                </span>
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
  const onError = (error: Error) =>
    toast.error("The import was not cancelled", { description: problemOf(error).detail })
  if (isOpen(one)) {
    return (
      <Button
        loading={cancel.isPending}
        onClick={() => cancel.mutate({ params: { projectId, importId: one.id } }, { onError })}
      >
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

type Props = {
  projectId: string
  /** A dry run that came to its end. */
  one: ContactImport
  fileUntil: string
}

/** Offers to import what a dry run has tried, from the file that it has read, or to map its columns again. */
function RunChecked({ projectId, one, fileUntil }: Props) {
  const router = useRouter()
  const run = useCall("POST /v1/projects/{projectId}/contact-imports/{importId}/run", [importRoute, importsRoute])
  const fault = run.error ? problemOf(run.error) : undefined
  const taken = one.created + one.updated + one.skipped
  const mostRejected = one.failed > taken
  const hasProperties = one.columns.some(({ target }) => target?.startsWith("properties."))

  // A read of the import may replace this meanwhile. A failure is shown above.
  const start = useOneAtATime(() =>
    run.mutateAsync({ params: { projectId, importId: one.id } }).then(
      ({ id }) => router.push(`/projects/${projectId}/contacts/imports/${id}`),
      () => undefined,
    ),
  )

  return (
    <Callout
      tone={fault ? "bad" : mostRejected ? "warn" : "good"}
      title={fault ? "The import was not started" : checkedTitle(one)}
      action={
        <May permission="contacts:write">
          <ButtonLink
            variant={mostRejected ? "primary" : "default"}
            href={`/projects/${projectId}/contacts/imports/new?from=${one.id}`}
          >
            Change mapping
          </ButtonLink>
          {one.created + one.updated ? (
            <Button variant={mostRejected ? "default" : "primary"} loading={run.isPending} onClick={() => void start()}>
              {one.failed
                ? `Import the other ${taken === 1 ? "row" : countText(taken, "row")}`
                : "Import these rows now"}
            </Button>
          ) : null}
        </May>
      }
    >
      {fault ? <span role="alert">{fault.detail ?? fault.title} </span> : null}
      No contact has been written yet. {hasProperties ? "Properties you added while mapping exist already. " : null}
      The file is kept to import it, or to map its columns again, and removed <RelativeTime at={fileUntil} />.
    </Callout>
  )
}

function checkedTitle({ failed, processed }: ContactImport): string {
  if (failed === 0) return "Every row can be imported"
  return `${formatNumber(failed)} of ${formatNumber(processed)} ${processed === 1 ? "row" : "rows"} would be rejected`
}

/** Why rows were rejected, by column and reason. */
function RejectedReasons({ projectId, one }: { projectId: string; one: ContactImport }) {
  const groups = one.errorGroups ?? []
  if (groups.length === 0) return null
  const { address } = addressOf("GET /v1/projects/{projectId}/contact-imports/{importId}/rejected", {
    params: { projectId, importId: one.id },
  })
  return (
    <Card aria-label="Why rows were rejected">
      <CardHeader
        title="Why rows were rejected"
        actions={
          <a href={address} download className="text-accent underline underline-offset-2">
            Download rejected.csv
          </a>
        }
      />
      <DataTable
        label="Why rows were rejected"
        columns={reasonColumns}
        rows={groups}
        keyOf={({ column, detail }) => `${column} ${detail}`}
      />
    </Card>
  )
}

type ErrorGroup = NonNullable<ContactImport["errorGroups"]>[number]

const reasonColumns: Column<ErrorGroup>[] = [
  { head: "Rows", width: "w-20", numeric: true, cell: ({ rows }) => formatNumber(rows) },
  {
    head: "Column and reason",
    cell: ({ column, detail, examples }) => (
      <>
        <b className="font-medium [overflow-wrap:anywhere]">{column || "Whole row"}</b>
        <span className="block">{detail}</span>
        {examples.length ? (
          <span className="block text-muted [overflow-wrap:anywhere] md:hidden">{quoted(examples)}</span>
        ) : null}
      </>
    ),
  },
  {
    head: "Such as",
    from: "md",
    muted: true,
    cell: ({ examples }) => <span className="[overflow-wrap:anywhere]">{quoted(examples)}</span>,
  },
]

const quoted = (examples: readonly string[]) => examples.map((example) => `“${example}”`).join(", ")

/** The rows that were refused, by line, with every reason. */
function ImportErrors({ projectId, importId, total }: { projectId: string; importId: string; total: number }) {
  const page = useState(1)
  const list = useQuery({
    ...importErrorsQuery(projectId, importId, page[0], total),
    placeholderData: keepPreviousData,
  })
  return (
    <ResourceList
      label="Rejected rows"
      noun="rows"
      list={list}
      page={page}
      columns={columns}
      keyOf={({ line }) => String(line)}
      header={
        <CardHeader
          title="Rejected rows"
          description={`${total === 1 ? "1 row. Correct it" : `${formatNumber(total)} rows. Correct them`} in the file or in rejected.csv and import that; importing the other rows twice is harmless.`}
        />
      }
      empty={null}
    />
  )
}

const columns: Column<ImportError>[] = [
  { head: "Line", width: "w-20", numeric: true, muted: true, cell: ({ line }) => formatNumber(line) },
  {
    head: "Why, and the row",
    cell: ({ faults, row }) => (
      <>
        {faults.map(({ column, detail }) => (
          <span key={`${column}-${detail}`} className="block [overflow-wrap:anywhere]">
            {column ? <b className="font-medium">{column}: </b> : null}
            {detail}
          </span>
        ))}
        {row ? <code className="mt-1 block text-muted [overflow-wrap:anywhere]">{row}</code> : null}
      </>
    ),
  },
]

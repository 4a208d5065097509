"use client"

import { useQuery } from "@tanstack/react-query"
import { ArrowDown, ArrowUp } from "lucide-react"
import Link from "next/link"
import { useState } from "react"
import { LoadError } from "@/components/data/load-error"
import { useAddressParam } from "@/components/layout/use-address-param"
import { allDomainsQuery } from "@/components/emails/queries"
import { type BreakdownBy, metricsBreakdown, daysShown, type MetricsView } from "@/components/metrics/queries"
import type { MetricsBreakdown, BreakdownRow } from "@/components/metrics/chart"
import {
  changeOf,
  isOver,
  isUntracked,
  type JudgedRate,
  rates,
  shareOf,
  shareText,
  type Tracking,
} from "@/components/metrics/rates"
import { Absent, BreakAfter } from "@/components/ui/text"
import { Button } from "@/components/ui/button"
import { Card, CardHeader } from "@/components/ui/card"
import { cn } from "@/components/ui/cn"
import { Segmented } from "@/components/ui/segmented"
import { SkeletonRows } from "@/components/ui/loading"
import { Table, Td } from "@/components/ui/table"
import { formatNumber } from "@/lib/platform/format"

type Choice = "mail" | "topic" | "tag"
const choices: Record<Choice, BreakdownBy[]> = { mail: ["provider", "domain"], topic: ["topic"], tag: ["tag"] }
const options: { value: Choice; label: string }[] = [
  { value: "mail", label: "Provider and domain" },
  { value: "topic", label: "Topic" },
  { value: "tag", label: "Tag" },
]

type BreakdownCardProps = { projectId: string; view: MetricsView; tracking: Tracking | undefined }

/** The figures by mailbox provider and sending domain, by topic or by tag. */
export function BreakdownCard({ projectId, view, tracking }: BreakdownCardProps) {
  const [choice, setChoice] = useState<Choice>("mail")
  const [first, second] = choices[choice]
  const one = useQuery({ ...metricsBreakdown(projectId, view, first ?? "provider"), placeholderData: keep })
  const two = useQuery({
    ...metricsBreakdown(projectId, view, second ?? "domain"),
    placeholderData: keep,
    enabled: second !== undefined,
  })
  const stale = one.isPlaceholderData || two.isPlaceholderData
  const domains = useQuery(allDomainsQuery(projectId)).data?.data ?? []
  const failed = [one, second ? two : null].find((read) => read?.isError && !read.data)
  const ready = one.data?.by === first && (!second || two.data?.by === second)

  const linkOf = ({ by, window }: MetricsBreakdown, { key }: BreakdownRow): string | undefined => {
    const to = (name: string, value: string) =>
      `/projects/${projectId}/emails?${new URLSearchParams({ [name]: value, ...daysShown(view, window) })}`
    if (by === "topic") return to("topic", key)
    if (by === "tag") return to("tag", key)
    const id = by === "domain" ? domains.find(({ domain }) => domain === key)?.id : undefined
    return id && to("domain", id)
  }
  const groups: Group[] = [one.data, second ? two.data : undefined].flatMap((breakdown) =>
    breakdown ? [{ ...breakdown, ...wordsOf[breakdown.by], linkOf: (row) => linkOf(breakdown, row) }] : [],
  )
  return (
    <Card aria-labelledby="metrics-breakdown">
      <CardHeader
        id="metrics-breakdown"
        title="Breakdown"
        description={view.domain ? "For all domains, whatever is selected above." : undefined}
        actions={<Segmented label="Break down by" value={choice} onChange={setChoice} options={options} />}
      />
      {failed ? (
        <LoadError error={failed.error} onRetry={() => void failed.refetch()} retrying={failed.isFetching} />
      ) : ready ? (
        <div className={cn("transition-opacity", stale && "opacity-50")} aria-busy={stale}>
          <BreakdownTable groups={groups} tracking={tracking} />
        </div>
      ) : (
        <SkeletonRows rows={6} label="Loading the breakdown" />
      )}
    </Card>
  )
}

function keep<T>(earlier: T | undefined): T | undefined {
  return earlier
}

const wordsOf: Record<BreakdownBy, { title: string; note?: string; others: [string, string]; none: string }> = {
  provider: {
    title: "Mailbox provider",
    note: "Gmail, iCloud, GMX and WEB.DE do not report complaints",
    others: ["other provider", "other providers"],
    none: "No email in this period.",
  },
  domain: { title: "Sending domain", others: ["other domain", "other domains"], none: "No email in this period." },
  topic: { title: "Topic", others: ["other topic", "other topics"], none: "No email with a topic in this period." },
  tag: { title: "Tag", others: ["other tag", "other tags"], none: "No email with a tag in this period." },
}

type Group = MetricsBreakdown & {
  title: string
  note?: string
  /** One, several. */
  others: [string, string]
  none: string
  linkOf: (row: BreakdownRow) => string | undefined
}

type Figures = Omit<NonNullable<MetricsBreakdown["other"]>, "keys"> & { reportsComplaints?: boolean | undefined }
const columns = rates.filter(({ label }) => label !== "Unsubscribed")

const shownFirst = 10

/** Less space between the figures, so that all of them are in sight on a tablet. */
const narrow = "sm:max-lg:[&_td:not([colspan])]:px-2 sm:max-lg:[&_th[scope=col]:not(:first-child)]:px-2"

/** Groups of rows in one grid; each column sorts, a row opens its emails. */
function BreakdownTable({ groups, tracking }: { groups: Group[]; tracking: Tracking | undefined }) {
  const [sorting, setSorting] = useAddressParam("sort")
  const sort = sortOf(sorting)
  const sortBy = (name: SortKey) =>
    setSorting(sortParam({ by: name, descending: sort.by === name ? !sort.descending : true }))
  return (
    <Table label="Breakdown" minWidth="min-w-218 sm:min-w-182 lg:min-w-250" className={narrow}>
      <colgroup>
        <col className="w-50 sm:w-48 lg:w-60" />
        <col className="w-24 sm:w-18 lg:w-auto" />
        {columns.map(({ name, limit }) => (
          <col key={name} className={cn("w-24 lg:w-26", limit === undefined ? "sm:w-18" : "sm:w-22")} />
        ))}
      </colgroup>
      <thead>
        <tr>
          <SortHead by="name" label="Name" sort={sort} onSort={sortBy} />
          <SortHead by="sent" label="Sent" sort={sort} onSort={sortBy} numeric />
          {columns.map(({ name, label }) => (
            <SortHead key={name} by={name} label={label} sort={sort} onSort={sortBy} numeric />
          ))}
        </tr>
      </thead>
      {groups.map((group) => (
        <GroupRows key={group.by} group={group} sort={sort} tracking={tracking} />
      ))}
    </Table>
  )
}

function GroupRows({ group, sort, tracking }: { group: Group; sort: Sort; tracking: Tracking | undefined }) {
  const [all, setAll] = useState(false)
  const rows = sorted(group.data, sort)
  const most = Math.max(1, group.other?.sent ?? 0, ...group.data.map(({ sent }) => sent))
  const { other } = group
  const hidden = all ? 0 : Math.max(0, rows.length - shownFirst)
  return (
    <tbody>
      <tr>
        <th
          scope="rowgroup"
          colSpan={columns.length + 2}
          className="border-b border-line bg-sunken px-4 py-1.5 text-left text-xs font-normal text-muted"
        >
          <b className="font-semibold text-text">{group.title}</b>
          {group.note && rows.some(({ reportsComplaints }) => reportsComplaints === false) ? (
            <span className="ml-2">{group.note}</span>
          ) : null}
        </th>
      </tr>
      {rows.length === 0 && !other ? (
        <tr>
          <Td colSpan={columns.length + 2} muted>
            {group.none}
          </Td>
        </tr>
      ) : null}
      {rows.slice(0, rows.length - hidden).map((row) => (
        <tr key={row.key} className="hover:bg-sunken">
          <Name row={row} href={group.linkOf(row)} />
          <Values figures={row} previous={row.previous} most={most} tracking={tracking} />
        </tr>
      ))}
      {hidden > 0 ? (
        <tr>
          <Td colSpan={columns.length + 2}>
            <Button size="small" onClick={() => setAll(true)}>
              Show {hidden} more
            </Button>
          </Td>
        </tr>
      ) : null}
      {other ? (
        <tr>
          <th
            scope="row"
            className="border-b border-line px-4 py-2.5 text-left align-top font-normal text-muted [tr:last-child>&]:border-b-0"
          >
            {other.keys === 0
              ? `All ${group.others[1]}`
              : `${formatNumber(other.keys)} ${group.others[other.keys === 1 ? 0 : 1]}`}
          </th>
          <Values figures={other} previous={other.previous} most={most} tracking={tracking} />
        </tr>
      ) : null}
    </tbody>
  )
}

function Name({ row, href }: { row: BreakdownRow; href: string | undefined }) {
  return (
    <th
      scope="row"
      title={row.name}
      className="border-b border-line bg-panel px-4 [overflow-wrap:anywhere] sm:max-lg:pr-2 lg:truncate py-2.5 text-left align-top font-normal max-lg:sticky max-lg:left-0 max-lg:z-1 in-[tr:hover]:bg-sunken [tr:last-child>&]:border-b-0"
    >
      {href ? (
        <Link href={href} prefetch={false} data-row className="rounded-sm hover:underline">
          <BreakAfter mark="." text={row.name} />
        </Link>
      ) : (
        <BreakAfter mark="." text={row.name} />
      )}
    </th>
  )
}

function Values({
  figures,
  previous,
  most,
  tracking,
}: {
  figures: Figures
  previous: Omit<Figures, "reportsComplaints" | "previous"> | undefined
  most: number
  tracking: Tracking | undefined
}) {
  return (
    <>
      <Td numeric className="tabular-nums">
        <span className="flex items-center justify-end gap-3">
          <span aria-hidden="true" className="h-1 min-w-0 flex-1 max-lg:hidden">
            <span className="block h-full bg-accent/75" style={{ width: `${(figures.sent / most) * 100}%` }} />
          </span>
          {/* Bars of one group end where numbers of any length begin. */}
          <span style={{ minWidth: `${formatNumber(most).length}ch` }}>{formatNumber(figures.sent)}</span>
        </span>
      </Td>
      {columns.map((rate) => {
        const silent = rate.name === "complained" && figures.reportsComplaints === false && figures.complained === 0
        const untracked = isUntracked(rate, figures, tracking)
        const warned = isOver(rate, figures) || isWorse(rate, figures, previous)
        return (
          <Td
            key={rate.label}
            numeric
            className={cn(
              "tabular-nums",
              warned && "font-medium text-warn",
              silent && "text-muted",
              untracked && "text-xs text-muted",
            )}
            title={silent ? "Does not report complaints" : undefined}
          >
            {untracked ? (
              "Not tracked"
            ) : silent ? (
              <Absent word="Does not report complaints" />
            ) : (
              shareText(shareOf(rate, figures), rate.limit === undefined ? 1 : 2)
            )}
          </Td>
        )
      })}
    </>
  )
}

/** Delays and bounces that grew by more than chance, and by a point at least. */
function isWorse(rate: JudgedRate, figures: Figures, previous: Parameters<typeof changeOf>[2] | undefined): boolean {
  if (!previous || (rate.name !== "deferred" && rate.name !== "bounced")) return false
  const change = changeOf(rate, figures, previous)
  return change?.tone === "warn" && change.points >= 1
}

function sorted(rows: readonly BreakdownRow[], { by, descending }: Sort): BreakdownRow[] {
  const rate = columns.find(({ name }) => name === by)
  const value = (row: BreakdownRow) => (rate ? (shareOf(rate, row) ?? -1) : row.sent)
  const ordered =
    by === "name" ? rows.toSorted((a, b) => b.name.localeCompare(a.name)) : rows.toSorted((a, b) => value(b) - value(a))
  return descending ? ordered : ordered.toReversed()
}

type SortKey = "name" | "sent" | JudgedRate["name"]
type Sort = { by: SortKey; descending: boolean }

const sortKeys: readonly SortKey[] = ["name", "sent", ...columns.map(({ name }) => name)]
const bySent: Sort = { by: "sent", descending: true }

/** As it is in the address: "opened", or "-opened" with the lowest first. */
function sortOf(text: string | null): Sort {
  const by = sortKeys.find((key) => key === text?.replace(/^-/, ""))
  return by ? { by, descending: !text?.startsWith("-") } : bySent
}

function sortParam({ by, descending }: Sort): string | null {
  return by === bySent.by && descending ? null : `${descending ? "" : "-"}${by}`
}

/** The head of a column that sorts its table. */
function SortHead({
  by,
  label,
  sort,
  onSort,
  numeric,
}: {
  by: SortKey
  label: string
  sort: Sort
  onSort: (by: SortKey) => void
  numeric?: boolean
}) {
  const active = sort.by === by
  const Arrow = sort.descending ? ArrowDown : ArrowUp
  return (
    <th
      scope="col"
      aria-sort={active ? (sort.descending ? "descending" : "ascending") : undefined}
      className={cn(
        "border-b border-line px-4 py-1 text-xs font-medium text-muted",
        numeric ? "text-right" : "text-left",
      )}
    >
      <button
        type="button"
        onClick={() => onSort(by)}
        className={cn(
          "-mx-1 inline-flex h-6 items-center gap-1 rounded-sm px-1 whitespace-nowrap hover:text-text",
          active && "text-text",
        )}
      >
        {label}
        {active ? <Arrow aria-hidden="true" className="size-3" /> : null}
      </button>
    </th>
  )
}

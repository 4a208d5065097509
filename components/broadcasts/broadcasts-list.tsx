"use client"

import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { Megaphone, PenLine } from "lucide-react"
import { clickedFigure, openedFigure, deliveredFigure, type Figure } from "@/components/metrics/figures"
import { broadcastsQuery, type BroadcastItem } from "@/components/broadcasts/queries"
import { broadcastWords, leftOut, sentTo } from "@/components/broadcasts/words"
import { FirstAction } from "@/components/data/first-action"
import { ResourceList } from "@/components/data/resource-list"
import { usePageParam } from "@/components/layout/use-address-param"
import { EmptyState } from "@/components/ui/empty-state"
import { Pill } from "@/components/ui/pill"
import { RelativeTime } from "@/components/ui/relative-time"
import { RowLink, type Column } from "@/components/ui/table"

const refreshMs = 5_000

/** Broadcasts of a project, newest first, with how far each is. */
export function BroadcastsList({ projectId }: { projectId: string }) {
  const page = usePageParam()
  const list = useQuery({
    ...broadcastsQuery(projectId, page[0]),
    placeholderData: keepPreviousData,
    refetchInterval: refreshMs,
  })
  return (
    <ResourceList
      wide
      label="Broadcasts"
      list={list}
      page={page}
      columns={columns}
      keyOf={({ id }) => id}
      href={({ id }) => `/projects/${projectId}/broadcasts/${id}`}
      empty={
        <EmptyState
          icon={<Megaphone />}
          title="No broadcasts yet"
          action={
            <FirstAction
              permission="emails:send"
              icon={<PenLine />}
              href={`/projects/${projectId}/emails/compose?from=broadcasts`}
            >
              Compose
            </FirstAction>
          }
        >
          A broadcast is one message to everyone in segments and topics. To create one, compose an email to a segment or
          topic.
        </EmptyState>
      }
    />
  )
}

/** A count above its share, so that both are in line with those of the other rows; nothing before anything was sent. */
function figureColumn(head: string, of: (broadcast: BroadcastItem) => Figure): Column<BroadcastItem> {
  return {
    ...{ head, width: "w-28", numeric: true, muted: true },
    cell: (broadcast) => (broadcast.counts.sent > 0 ? <FigureText {...of(broadcast)} /> : null),
  }
}

function FigureText(shown: Figure) {
  if ("none" in shown) return <span className="text-faint">{shown.none}</span>
  const share = shareOf(shown)
  return (
    <span title={shown.of}>
      <span className="text-text">{shown.value}</span> {share ? <span className="block text-xs">{share}</span> : null}
    </span>
  )
}

function shareOf({ of }: { of?: string }): string | undefined {
  const share = of?.split(" ")[0]
  return share?.endsWith("%") ? share : undefined
}

/** What the columns of figures say, for a phone: "Opened 12 (30%)", or "Opened: not tracked". */
function PhoneFigures({ broadcast }: { broadcast: BroadcastItem }) {
  const figures = [
    ["Delivered", deliveredFigure(broadcast.counts)],
    ["Opened", openedFigure(broadcast)],
    ["Clicked", clickedFigure(broadcast)],
  ] as const
  return figures.map(([word, shown]) => <span key={word}>{figureWords(word, shown)}</span>)
}

function figureWords(word: string, shown: Figure): string {
  if ("none" in shown)
    return shown.none.startsWith(word.slice(0, 7)) ? shown.none : `${word}: ${shown.none.toLowerCase()}`
  const share = shareOf(shown)
  return `${word} ${shown.value}${share ? ` (${share})` : ""}`
}

const columns: Column<BroadcastItem>[] = [
  {
    head: "Subject",
    cellClassName: "[overflow-wrap:anywhere]",
    cell: (broadcast, href) => (
      <>
        <RowLink href={href} prefetch={false}>
          {broadcast.subject}
        </RowLink>
        <span className="mt-0.5 flex flex-wrap gap-x-3 text-xs text-muted tabular-nums sm:hidden">
          <span>Sent to {sentTo(broadcast)}</span>
          {broadcast.counts.sent > 0 ? <PhoneFigures broadcast={broadcast} /> : null}
          <RelativeTime at={broadcast.createdAt} />
        </span>
      </>
    ),
  },
  {
    head: "Status",
    width: "w-28",
    cell: ({ status }) => {
      const { word, tone, means } = broadcastWords(status)
      return (
        <Pill tone={tone} tip={means} inTable>
          {word}
        </Pill>
      )
    },
  },
  {
    head: "Sent to",
    from: "sm",
    width: "w-40",
    numeric: true,
    muted: true,
    cellClassName: "whitespace-nowrap",
    title: (broadcast) => leftOut(broadcast) || undefined,
    cell: sentTo,
  },
  { ...figureColumn("Delivered", ({ counts }) => deliveredFigure(counts)), from: "md" },
  { ...figureColumn("Opened", openedFigure), from: "lg" },
  { ...figureColumn("Clicked", clickedFigure), from: "lg" },
  {
    head: "Created",
    from: "sm",
    width: "w-36",
    numeric: true,
    muted: true,
    cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
  },
]

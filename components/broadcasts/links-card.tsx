"use client"

import { useQuery } from "@tanstack/react-query"
import { type Broadcast, broadcastLinksQuery } from "@/components/broadcasts/queries"
import { NotLoaded } from "@/components/data/load-error"
import { Card, CardHeader } from "@/components/ui/card"
import { type Column, DataTable } from "@/components/ui/table"
import { TextLink } from "@/components/ui/text-link"
import { formatNumber } from "@/lib/platform/format"

const refreshMs = 15_000

/** The links that people followed. */
export function LinksCard({ projectId, broadcast }: { projectId: string; broadcast: Broadcast }) {
  const { id, counts, tracked } = broadcast
  const read = useQuery({ ...broadcastLinksQuery(projectId, id), refetchInterval: refreshMs })
  if (counts.accepted === 0) return null
  const links = read.data?.data ?? []
  return (
    <Card aria-label="Links">
      <CardHeader
        title="Links"
        description={
          read.data?.complete === false ? "Clicks of the first 10,000 people" : "Clicks by people, machines excluded"
        }
      />
      {!read.data ? <NotLoaded read={read} label="links" /> : null}
      {links.length > 0 ? <DataTable label="Links" columns={columns} rows={links} keyOf={({ url }) => url} /> : null}
      {read.data && links.length === 0 ? (
        <p className="px-4 py-6 text-center text-muted">
          {tracked.clicks ? (
            "Nobody has followed a link yet."
          ) : (
            <>
              Clicks are not tracked. Turn on click tracking in Compose, or in the{" "}
              <TextLink href={`/projects/${projectId}/settings`}>project&apos;s settings</TextLink>.
            </>
          )}
        </p>
      ) : null}
    </Card>
  )
}

type Link = { url: string; clicks: number; people: number }

const columns: Column<Link>[] = [
  { head: "Link", cellClassName: "[overflow-wrap:anywhere]", cell: ({ url }) => url },
  { head: "People", width: "w-24", numeric: true, cell: ({ people }) => formatNumber(people) },
  { head: "Clicks", width: "w-24", numeric: true, cell: ({ clicks }) => formatNumber(clicks) },
]

"use client"

import { useQuery } from "@tanstack/react-query"
import { KeyRound } from "lucide-react"
import { Absent } from "@/components/ui/text"
import { formatNumber } from "@/lib/platform/format"
import { FirstAction } from "@/components/data/first-action"
import { NotLoaded } from "@/components/data/load-error"
import { useAddressParam } from "@/components/layout/use-address-param"
import { Card, CardHeader } from "@/components/ui/card"
import { EmptyState } from "@/components/ui/empty-state"
import { Pill } from "@/components/ui/pill"
import { RelativeTime, useOpenedAt } from "@/components/ui/relative-time"
import { Segmented } from "@/components/ui/segmented"
import { DataTable, RowLink, type Column } from "@/components/ui/table"
import { keyState, permissionWords, type KeyWire } from "@/components/api-keys/key-words"
import { keyList } from "@/components/api-keys/queries"

/** The keys of a project. */
export function ApiKeyTable({ projectId }: { projectId: string }) {
  const list = useQuery(keyList(projectId))
  return (
    <Card data-list>
      {!list.data ? (
        <NotLoaded read={list} label="keys" />
      ) : list.data.data.length > 0 ? (
        <Keys projectId={projectId} keys={list.data.data} />
      ) : (
        <EmptyState
          icon={<KeyRound />}
          title="No keys yet"
          action={
            <FirstAction permission="projects:write" opens="create-api-key">
              Create key
            </FirstAction>
          }
        >
          A key lets a program send emails and read their status. It is shown only once, when it is created.
        </EmptyState>
      )}
    </Card>
  )
}

/** Those that work, or those that have ended. */
function Keys({ projectId, keys }: { projectId: string; keys: KeyWire[] }) {
  const [wanted, setWanted] = useAddressParam("show")
  const now = useOpenedAt()
  const ended = wanted === "ended"
  const shown = keys.filter(({ enabled }) => enabled !== ended)
  return (
    <>
      <CardHeader
        title={ended ? `${shown.length} revoked or expired` : `${shown.length} active`}
        actions={
          <Segmented
            label="Which keys"
            value={ended ? "ended" : "active"}
            onChange={(value) => setWanted(value === "active" ? null : value)}
            options={[
              { value: "active", label: "Active" },
              { value: "ended", label: "Ended" },
            ]}
          />
        }
      />
      {shown.length > 0 ? (
        <DataTable
          label="API keys"
          columns={columnsOf(now)}
          rows={shown}
          keyOf={({ id }) => id}
          href={({ id }) => `/projects/${projectId}/api-keys/${id}`}
        />
      ) : (
        <p className="px-4 py-10 text-center text-muted">None here.</p>
      )}
    </>
  )
}

function isRestricted({
  allowedAddresses,
  allowedDomains,
}: Pick<KeyWire, "allowedAddresses" | "allowedDomains">): boolean {
  return Boolean(allowedAddresses ?? allowedDomains)
}

/** On a phone the key is below its name; the rest is on its page. */
function columnsOf(now: number): Column<KeyWire>[] {
  const may = ({ permissions }: KeyWire) => permissionWords(permissions)
  return [
    {
      head: "Name",
      truncate: true,
      cell: ({ name, start, ...key }, href) => (
        <>
          <RowLink href={href}>{name ?? "Unnamed"}</RowLink>
          {isRestricted(key) ? <span className="ml-2 text-muted max-sm:hidden">restricted</span> : null}
          <span className="mt-0.5 block truncate text-muted sm:hidden">
            <code>{start}…</code>
            {isRestricted(key) ? " restricted" : null}
          </span>
        </>
      ),
    },
    { head: "Key", from: "sm", width: "w-40", truncate: true, cell: ({ start }) => <code>{start}…</code> },
    { head: "Permissions", from: "lg", truncate: true, muted: true, title: may, cell: may },
    {
      head: "Last used",
      from: "sm",
      width: "w-36",
      muted: true,
      cell: ({ lastRequest }) => (lastRequest ? <RelativeTime at={lastRequest} /> : <Absent word="Never" />),
    },
    {
      head: "Requests",
      from: "lg",
      width: "w-28",
      numeric: true,
      cell: ({ requestCount }) => formatNumber(requestCount),
    },
    {
      head: "State",
      width: "w-40",
      cell: (key) => {
        const { tone, word, tip } = keyState(key, now)
        return (
          <Pill tone={tone} tip={tip} inTable>
            {word}
          </Pill>
        )
      },
    },
  ]
}

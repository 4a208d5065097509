"use client"

import Link from "next/link"
import { lazy } from "react"
import { AddDialog } from "@/components/data/add-dialog"
import { May } from "@/components/access/powers"
import { useRevokeKey, type KeyRotation } from "@/components/api-keys/queries"
import { extensionsOf, momentWords, rotationWords, count } from "@/components/api-keys/usage-words"
import { Absent } from "@/components/ui/text"
import { Button } from "@/components/ui/button"
import { Card } from "@/components/ui/card"
import { ConfirmDialog } from "@/components/ui/confirm-dialog"
import { useTimeZone } from "@/components/ui/local-time"
import { RelativeTime, useOpenedAt } from "@/components/ui/relative-time"
import { DataTable, type Column } from "@/components/ui/table"
import { toast } from "@/components/ui/toast"

const loadExtendForm = () =>
  import("@/components/api-keys/key-forms").then((loaded) => ({ default: loaded.ExtendForm }))
const ExtendForm = lazy(loadExtendForm)

type RotationCardProps = { projectId: string; rotation: KeyRotation }

/** A rotation under way: who still uses the old key, and both keys side by side. */
export function RotationCard({ projectId, rotation }: RotationCardProps) {
  const now = useOpenedAt()
  const { startedAt, endsAt, next, old } = rotation
  const words = rotationWords(rotation, now, useTimeZone())
  return (
    <Card aria-label="Rotation">
      <div className="flex flex-wrap items-start justify-between gap-3 p-4">
        <div className="min-w-0">
          <h2 className="text-lg font-semibold [overflow-wrap:anywhere]">{words.sentence}</h2>
          <p className="mt-0.5 text-muted">{words.next}</p>
        </div>
        <May permission="projects:write">
          <span className="flex flex-wrap gap-2">
            <ExtendOverlap projectId={projectId} rotation={rotation} />
            <EndOldKey projectId={projectId} rotation={rotation} isPrimary={words.isUnused} />
          </span>
        </May>
      </div>
      {endsAt ? <Progress startedAt={startedAt} endsAt={endsAt} now={now} /> : null}
      <div className="border-t border-line bg-sunken">
        <DataTable
          label="Keys of the rotation"
          columns={columns}
          rows={[
            { word: "New", href: `/projects/${projectId}/api-keys/${next.keyId}`, ...next },
            { word: "Old", href: `/projects/${projectId}/api-keys/${old.keyId}`, ...old },
          ]}
          keyOf={({ word }) => word}
        />
      </div>
    </Card>
  )
}

type RotatedKey = KeyRotation["old"] & { word: string; href: string }

const columns: Column<RotatedKey>[] = [
  {
    head: "Key",
    width: "w-16",
    cell: ({ word, href }) => (
      <Link href={href} className="font-medium hover:underline">
        {word}
      </Link>
    ),
  },
  { head: "Starts with", from: "md", width: "w-40", cell: ({ start }) => <code>{start}…</code> },
  {
    head: "Today",
    width: "w-20",
    className: "px-2",
    numeric: true,
    cell: ({ days }) => count(days.at(-1)?.requests ?? 0),
  },
  {
    head: "Yesterday",
    from: "sm",
    width: "w-24",
    numeric: true,
    cell: ({ days }) => count(days.at(-2)?.requests ?? 0),
  },
  {
    head: "Last used",
    width: "w-36",
    cell: (key) => (
      <>
        {key.lastUsedAt ? <RelativeTime at={key.lastUsedAt} /> : <Absent word="Never" />}
        {key.addresses.length > 0 ? (
          <span className="block text-muted [overflow-wrap:anywhere] sm:hidden">{fromWords(key)}</span>
        ) : null}
      </>
    ),
  },
  { head: "IP addresses", from: "sm", cellClassName: "[overflow-wrap:anywhere]", cell: fromWords },
]

function fromWords({ addresses }: RotatedKey): string {
  const [first, more] = [addresses.slice(0, 3).join(", "), addresses.length - 3]
  return more > 0 ? `${first} and ${more} more` : first
}

function Progress({ startedAt, endsAt, now }: { startedAt: string; endsAt: string; now: number }) {
  const [from, to] = [Date.parse(startedAt), Date.parse(endsAt)]
  const timeZone = useTimeZone()
  const share = Math.min(1, Math.max(0, (now - from) / Math.max(1, to - from)))
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 pb-4 text-xs text-muted tabular-nums">
      <span>Rotated {momentWords(startedAt, timeZone)}</span>
      <span
        aria-hidden="true"
        className="h-1 min-w-24 flex-1 overflow-hidden rounded-full bg-wait-soft max-sm:order-last max-sm:basis-full"
      >
        <span className="block h-full bg-accent" style={{ width: `${share * 100}%` }} />
      </span>
      <span>Old key ends {momentWords(endsAt, timeZone)}</span>
    </div>
  )
}

function ExtendOverlap({ projectId, rotation }: RotationCardProps) {
  const extensions = extensionsOf(rotation)
  if (!extensions.length) return null
  return (
    <AddDialog
      action="Extend"
      button={{}}
      title="Extend the overlap"
      description="The old key works for longer, but not beyond its own expiry."
      load={loadExtendForm}
      height="h-40"
    >
      {(close) => (
        <ExtendForm projectId={projectId} keyId={rotation.old.keyId} extensions={extensions} onDone={close} />
      )}
    </AddDialog>
  )
}

type EndOldKeyProps = RotationCardProps & { isPrimary: boolean }

function EndOldKey({ projectId, rotation: { old }, isPrimary }: EndOldKeyProps) {
  const revoke = useRevokeKey()
  const today = old.days.at(-1)?.requests ?? 0
  async function end() {
    await revoke.mutateAsync({ params: { projectId, keyId: old.keyId } })
    toast.success("The old key has ended", { description: "Requests with it are refused within a second." })
  }
  return (
    <ConfirmDialog
      trigger={<Button variant={isPrimary ? "primary" : undefined}>End old key now</Button>}
      title="End the old key?"
      action="End old key"
      onConfirm={end}
    >
      {today
        ? `It made ${count(today, "request")} today. Requests with it are refused within a second.`
        : "It made no requests today. Programs that still use it are refused within a second."}{" "}
      The new key is not affected.
    </ConfirmDialog>
  )
}

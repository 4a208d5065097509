"use client"

import Link from "next/link"
import { lazy, Suspense, useState } from "react"
import { May } from "@/components/access/powers"
import { useRevokeKey, type KeyRotation } from "@/components/api-keys/queries"
import { extensionsOf, momentWords, rotationWords } from "@/components/api-keys/rotation-words"
import { count } from "@/components/api-keys/usage-bars"
import { Button } from "@/components/ui/button"
import { Card } from "@/components/ui/card"
import { ConfirmDialog } from "@/components/ui/confirm-dialog"
import { Dialog } from "@/components/ui/dialog"
import { RelativeTime } from "@/components/ui/relative-time"
import { Skeleton } from "@/components/ui/skeleton"
import { Table, Td, Th } from "@/components/ui/table"
import { toast } from "@/components/ui/toast"

const loadExtendForm = () => import("@/components/api-keys/extend-form")
const ExtendForm = lazy(loadExtendForm)

type RotationCardProps = { projectId: string; rotation: KeyRotation }

/** A rotation under way: who still uses the old key, and both keys side by side. */
export function RotationCard({ projectId, rotation }: RotationCardProps) {
  const [now] = useState(() => Date.now())
  const { startedAt, endsAt, next, old } = rotation
  const words = rotationWords(rotation, now)
  return (
    <Card aria-label="Rotation">
      <div className="flex flex-wrap items-start justify-between gap-3 p-4">
        <div className="min-w-0">
          <h2 className="text-lg font-semibold [overflow-wrap:anywhere]" suppressHydrationWarning>
            {words.sentence}
          </h2>
          <p className="mt-0.5 text-muted" suppressHydrationWarning>
            {words.next}
          </p>
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
        <Table label="Keys of the rotation" minWidth="min-w-0">
          <thead>
            <tr>
              <Th className="w-16">Key</Th>
              <Th className="hidden w-40 md:table-cell">Starts with</Th>
              <Th numeric className="w-20 px-2">
                Today
              </Th>
              <Th numeric className="hidden w-24 sm:table-cell">
                Yesterday
              </Th>
              <Th className="w-36">Last used</Th>
              <Th className="hidden sm:table-cell">From</Th>
            </tr>
          </thead>
          <tbody>
            <Row projectId={projectId} word="New" side={next} />
            <Row projectId={projectId} word="Old" side={old} />
          </tbody>
        </Table>
      </div>
    </Card>
  )
}

function Row({ projectId, word, side }: { projectId: string; word: string; side: KeyRotation["old"] }) {
  const { keyId, start, days, lastUsedAt, addresses } = side
  const from =
    addresses.length > 3 ? `${addresses.slice(0, 3).join(", ")} and ${addresses.length - 3} more` : addresses.join(", ")
  return (
    <tr>
      <Td>
        <Link href={`/projects/${projectId}/api-keys/${keyId}`} className="font-medium hover:underline">
          {word}
        </Link>
      </Td>
      <Td className="hidden md:table-cell">
        <code>{start}…</code>
      </Td>
      <Td numeric className="px-2 tabular-nums">
        {count(days.at(-1)?.requests ?? 0)}
      </Td>
      <Td numeric className="hidden tabular-nums sm:table-cell">
        {count(days.at(-2)?.requests ?? 0)}
      </Td>
      <Td>
        {lastUsedAt ? <RelativeTime at={lastUsedAt} /> : <span className="text-muted">Never</span>}
        {from ? <span className="block text-muted [overflow-wrap:anywhere] sm:hidden">{from}</span> : null}
      </Td>
      <Td className="hidden [overflow-wrap:anywhere] sm:table-cell">{from}</Td>
    </tr>
  )
}

function Progress({ startedAt, endsAt, now }: { startedAt: string; endsAt: string; now: number }) {
  const [from, to] = [Date.parse(startedAt), Date.parse(endsAt)]
  const share = Math.min(1, Math.max(0, (now - from) / Math.max(1, to - from)))
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 pb-4 text-xs text-muted tabular-nums">
      <span>Rotated {momentWords(startedAt)}</span>
      <span
        aria-hidden="true"
        className="h-1 min-w-24 flex-1 overflow-hidden rounded-full bg-wait-soft max-sm:order-last max-sm:basis-full"
      >
        <span className="block h-full bg-accent" style={{ width: `${share * 100}%` }} suppressHydrationWarning />
      </span>
      <span>Old key ends {momentWords(endsAt)}</span>
    </div>
  )
}

function ExtendOverlap({ projectId, rotation }: RotationCardProps) {
  const [open, setOpen] = useState(false)
  const extensions = extensionsOf(rotation)
  if (!extensions.length) return null
  return (
    <Dialog
      trigger={
        <Button onPointerEnter={() => void loadExtendForm()} onFocus={() => void loadExtendForm()}>
          Extend
        </Button>
      }
      open={open}
      onOpenChange={setOpen}
      title="Extend the overlap"
      description="The old key works for longer, but not beyond its own expiry."
    >
      <Suspense fallback={<Skeleton className="h-40" />}>
        <ExtendForm
          projectId={projectId}
          keyId={rotation.old.keyId}
          extensions={extensions}
          onDone={() => setOpen(false)}
        />
      </Suspense>
    </Dialog>
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

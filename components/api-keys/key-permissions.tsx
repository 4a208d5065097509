"use client"

import { lazy, Suspense, useState } from "react"
import { May } from "@/components/access/powers"
import { problemOf } from "@/components/data/call"
import type { GiveBackProps } from "@/components/api-keys/give-back"
import { useChangeKey, type UsageSummary } from "@/components/api-keys/queries"
import { Button } from "@/components/ui/button"
import { Card, CardHeader } from "@/components/ui/card"
import { Pill } from "@/components/ui/pill"
import { RelativeTime } from "@/components/ui/relative-time"
import { toast } from "@/components/ui/toast"
import { permissions as allPermissions, type Permission } from "@/lib/access/permissions"

const GiveBack = lazy(() => import("@/components/api-keys/give-back"))

type KeyPermissionsProps = { projectId: string; keyId: string; summary: UsageSummary }

/** The key's permissions by last use; those not used in 30 days can be removed. */
export function KeyPermissions({ projectId, keyId, summary: { permissions, unused } }: KeyPermissionsProps) {
  const granted = permissions.filter((use) => use.granted)
  const { remove, pending, undo } = useRemoval(
    { projectId, keyId },
    allPermissions.filter((one) => granted.some(({ permission }) => permission === one)),
  )
  // A key must have one.
  const isRemovable = unused.length < granted.length
  return (
    <Card aria-label="Permissions">
      <CardHeader
        title={
          <>
            Permissions{" "}
            <span className="ml-1 font-normal text-muted">
              {granted.length} of {allPermissions.length}
            </span>
          </>
        }
      />
      {unused.length ? (
        <div className="flex flex-wrap items-center justify-between gap-3 border-b border-line px-4 py-3">
          <p className="min-w-0 flex-1 basis-44">
            <b className="font-medium">{unusedWords(unused.length)}</b>{" "}
            <span className="text-muted">Without {unused.length > 1 ? "them" : "it"}, a leaked key could do less.</span>
          </p>
          {isRemovable && unused.length > 1 ? (
            <May permission="projects:write">
              <Button size="small" disabled={pending} onClick={() => void remove(unused)}>
                {unused.length === 2 ? "Remove both" : `Remove all ${unused.length}`}
              </Button>
            </May>
          ) : null}
        </div>
      ) : null}
      <ul className="divide-y divide-line">
        {granted.map(({ permission, lastUsedAt }) => (
          <li key={permission} className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 px-4 py-2.5">
            <code>{permission}</code>
            {unused.includes(permission) ? (
              <span className="flex items-center gap-3">
                <Pill tone="warn">{lastUsedAt ? "Not used in 30 days" : "Never used"}</Pill>
                {isRemovable ? (
                  <May permission="projects:write">
                    <Button
                      variant="link"
                      disabled={pending}
                      aria-label={`Remove ${permission}`}
                      onClick={() => void remove([permission])}
                    >
                      Remove
                    </Button>
                  </May>
                ) : null}
              </span>
            ) : lastUsedAt ? (
              <RelativeTime at={lastUsedAt} className="text-muted" />
            ) : (
              <span className="text-muted">Not used yet</span>
            )}
          </li>
        ))}
      </ul>
      {undo}
    </Card>
  )
}

function unusedWords(unused: number): string {
  return unused === 1 ? "1 was not used in 30 days." : `${unused} were not used in 30 days.`
}

const undoMs = 10_000

/** Takes permissions from the key; the notice offers to undo it. */
function useRemoval(params: GiveBackProps["params"], granted: readonly Permission[]) {
  const change = useChangeKey()
  const [undone, setUndone] = useState<GiveBackProps & { turn: number }>()
  async function remove(taken: readonly string[]) {
    const [first = ""] = taken
    const what = taken.length > 1 ? `${taken.length} permissions were` : `${first} was`
    try {
      await change.mutateAsync({ params, body: { permissions: granted.filter((one) => !taken.includes(one)) } })
      toast.success(`${what} removed`, {
        description: "Takes effect within a second.",
        duration: undoMs,
        action: {
          label: "Undo",
          onClick: () => setUndone((before) => ({ params, permissions: granted, what, turn: (before?.turn ?? 0) + 1 })),
        },
      })
    } catch (error) {
      toast.error(`${what} not removed`, { description: problemOf(error).detail })
    }
  }
  const undo = undone ? (
    <Suspense>
      <GiveBack key={undone.turn} params={undone.params} permissions={undone.permissions} what={undone.what} />
    </Suspense>
  ) : null
  return { remove, pending: change.isPending, undo }
}

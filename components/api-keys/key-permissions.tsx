"use client"

import { useConfirmation } from "@/components/access/confirm-identity"
import { May } from "@/components/access/powers"
import { problemOf } from "@/components/api/problem"
import { useChangeKey, type UsageSummary } from "@/components/api-keys/queries"
import { Button } from "@/components/ui/button"
import { Card, CardHeader } from "@/components/ui/card"
import { Pill } from "@/components/ui/pill"
import { RelativeTime } from "@/components/ui/relative-time"
import { toast } from "@/components/ui/toast"
import { permissions as allPermissions, type Permission } from "@/lib/access/permissions"

type KeyPermissionsProps = { projectId: string; keyId: string; summary: UsageSummary }

/** What the key may do, by its last use; what it has not used in 30 days can be taken from it. */
export function KeyPermissions({ projectId, keyId, summary: { permissions, unused } }: KeyPermissionsProps) {
  const granted = permissions.filter((use) => use.granted)
  const { remove, pending, dialog } = useRemoval(
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
      {dialog}
    </Card>
  )
}

function unusedWords(unused: number): string {
  return unused === 1 ? "1 was not used in 30 days." : `${unused} were not used in 30 days.`
}

const undoMs = 10_000

/** Takes permissions from the key; the notice offers to undo it, which may ask for the password. */
function useRemoval(params: { projectId: string; keyId: string }, granted: readonly Permission[]) {
  const change = useChangeKey()
  const confirmation = useConfirmation()
  async function give(permissions: Permission[], what: string) {
    try {
      await change.mutateAsync({ params, body: { permissions } })
      toast.success(`${what} given back`)
    } catch (error) {
      if (confirmation.ask(error, () => void give(permissions, what))) return
      toast.error(`${what} not given back`, { description: problemOf(error).detail })
    }
  }
  async function remove(taken: readonly string[]) {
    const [first = ""] = taken
    const several = taken.length > 1
    try {
      await change.mutateAsync({ params, body: { permissions: granted.filter((one) => !taken.includes(one)) } })
      toast.success(`${several ? `${taken.length} permissions were` : `${first} was`} removed`, {
        description: "Takes effect within a second.",
        duration: undoMs,
        action: {
          label: "Undo",
          onClick: () => void give([...granted], several ? `${taken.length} permissions were` : `${first} was`),
        },
      })
    } catch (error) {
      toast.error(`${several ? "They were" : `${first} was`} not removed`, { description: problemOf(error).detail })
    }
  }
  return { remove, pending: change.isPending, dialog: confirmation.dialog }
}

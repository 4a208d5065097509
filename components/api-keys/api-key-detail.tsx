"use client"

import { useQuery } from "@tanstack/react-query"
import { useState, type ReactNode, lazy, Suspense } from "react"
import { May } from "@/components/access/powers"
import { PageNotLoaded } from "@/components/data/page-not-loaded"
import { CopyText } from "@/components/ui/copy-button"
import { PageHeader } from "@/components/ui/page-header"
import { Pill } from "@/components/ui/pill"
import { RelativeTime, useOpenedAt } from "@/components/ui/relative-time"
import { keyState, type KeyWire } from "@/components/api-keys/key-words"
import { keyDetail, useRevokeKey, useChangeKey, type UsageSummary } from "@/components/api-keys/queries"
import { RotateKey } from "@/components/api-keys/new-key-dialogs"
import { Button } from "@/components/ui/button"
import { ConfirmDialog } from "@/components/ui/confirm-dialog"
import { toast } from "@/components/ui/toast"
import { AddDialog } from "@/components/data/add-dialog"
import { Card, CardHeader } from "@/components/ui/card"
import { KeyValues } from "@/components/ui/key-values"
import { problemOf } from "@/components/data/call"
import type { GiveBackProps } from "@/components/api-keys/key-forms"
import { permissions as allPermissions, type Permission } from "@/lib/access/permissions"

type ApiKeyDetailProps = {
  projectId: string
  keyId: string
  /** For the ready command of a rotated key. */
  baseUrl: string
  recipient: string
  /** Its request log. */
  children: ReactNode
}

export function ApiKeyDetail({ projectId, keyId, baseUrl, recipient, children }: ApiKeyDetailProps) {
  const now = useOpenedAt()
  const read = useQuery(keyDetail(projectId, keyId))
  const list = { label: "API keys", href: `/projects/${projectId}/api-keys` }
  if (!read.data) return <PageNotLoaded of="API key" lists={[list]} read={read} />
  const key = read.data
  const { tone, word, tip } = keyState(key, now)
  const actions = { projectId, keyId, name: key.name ?? `${key.start}…` }
  return (
    <>
      <PageHeader
        title={key.name ?? "Unnamed key"}
        crumbs={[list, { label: key.name ?? "API key" }]}
        pill={
          <Pill tone={tone} tip={tip}>
            {word}
          </Pill>
        }
        meta={[
          <code key="start">{key.start}…</code>,
          <span key="made">
            Created <RelativeTime at={key.createdAt} />
          </span>,
          key.lastRequest ? (
            <span key="used">
              Last used <RelativeTime at={key.lastRequest} />
            </span>
          ) : (
            "Never used"
          ),
          key.expiresAt ? null : "Never expires",
          <CopyText key="id" value={key.id} name="id of the key" inline />,
        ]}
        actions={
          <May permission="projects:write">
            <RotateKey {...actions} live={key.enabled} baseUrl={baseUrl} recipient={recipient} />
            {key.enabled ? <RevokeKey {...actions} /> : null}
          </May>
        }
      />
      <KeyRestrictions projectId={projectId} apiKey={key} />
      {children}
    </>
  )
}

function RevokeKey({ projectId, keyId, name }: { projectId: string; keyId: string; name: string }) {
  const revoke = useRevokeKey()
  async function confirm() {
    await revoke.mutateAsync({ params: { projectId, keyId } })
    toast.success("The key is revoked", { description: "Requests with it are refused within a second." })
  }
  return (
    <ConfirmDialog
      trigger={<Button variant="outlined">Revoke key</Button>}
      title={`Revoke ${name}?`}
      action="Revoke key"
      onConfirm={confirm}
    >
      Every program that uses it is refused from the next second on. This cannot be undone: create a new key and replace
      this one first. Emails sent with it, and its request log, stay.
    </ConfirmDialog>
  )
}

const loadForm = () => import("@/components/api-keys/key-forms").then((loaded) => ({ default: loaded.RestrictKeyForm }))
const RestrictKeyForm = lazy(loadForm)

/** Where a key works from and what it sends from, with the way to change it while it works. */
function KeyRestrictions({ projectId, apiKey }: { projectId: string; apiKey: KeyWire }) {
  const [open, setOpen] = useState(false)
  const { id: keyId, allowedAddresses, allowedDomains } = apiKey
  const initial = { allowedAddresses: allowedAddresses ?? null, allowedDomains: allowedDomains ?? null }
  return (
    <Card aria-label="Restrictions">
      <CardHeader
        title="Restrictions"
        actions={
          apiKey.enabled ? (
            <May permission="projects:write">
              <AddDialog
                action="Change restrictions"
                button={{ size: "small" }}
                load={loadForm}
                height="h-80"
                open={open}
                onOpenChange={setOpen}
              >
                {(close) => <RestrictKeyForm params={{ projectId, keyId }} initial={initial} onSaved={close} />}
              </AddDialog>
            </May>
          ) : null
        }
      />
      <KeyValues
        items={[
          { label: "Works from", value: <Entries of={allowedAddresses} none="Every address" /> },
          { label: "Sends from", value: <Entries of={allowedDomains} none="Every domain of the project" /> },
        ]}
      />
    </Card>
  )
}

function Entries({ of, none }: { of: string[] | undefined; none: string }) {
  if (!of) return <span className="text-muted">{none}</span>
  return (
    <ul>
      {of.map((entry) => (
        <li key={entry}>
          <code>{entry}</code>
        </li>
      ))}
    </ul>
  )
}

const GiveBack = lazy(() => import("@/components/api-keys/key-forms").then((loaded) => ({ default: loaded.GiveBack })))

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

"use client"

import { useQuery } from "@tanstack/react-query"
import { useState, type ReactNode } from "react"
import { May } from "@/components/access/powers"
import { problemOf } from "@/components/data/problem"
import { Card } from "@/components/ui/card"
import { CopyText } from "@/components/ui/copy-text"
import { ErrorState } from "@/components/ui/error-state"
import { PageHeader } from "@/components/ui/page-header"
import { Pill } from "@/components/ui/pill"
import { RelativeTime } from "@/components/ui/relative-time"
import { SkeletonRows } from "@/components/ui/skeleton"
import { keyState } from "@/components/api-keys/key-words"
import { keyDetail, useRevokeKey } from "@/components/api-keys/queries"
import { RotateKey } from "@/components/api-keys/rotate-key"
import { Button } from "@/components/ui/button"
import { ConfirmDialog } from "@/components/ui/confirm-dialog"
import { toast } from "@/components/ui/toast"

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
  const [now] = useState(() => Date.now())
  const { data: key, error, refetch, isRefetching } = useQuery(keyDetail(projectId, keyId))
  const crumbs = [{ label: "API keys", href: `/projects/${projectId}/api-keys` }, { label: key?.name ?? "API key" }]
  if (error && !key) {
    const { code, detail, title, requestId } = problemOf(error)
    const gone = code === "api_key.not_found"
    return (
      <>
        <PageHeader title="API key" crumbs={crumbs} />
        <Card>
          <ErrorState
            title={gone ? "API key not found in this project" : undefined}
            message={detail ?? title}
            requestId={requestId}
            onRetry={gone ? undefined : () => void refetch()}
            retrying={isRefetching}
          />
        </Card>
      </>
    )
  }
  if (!key)
    return (
      <>
        <PageHeader title="API key" crumbs={crumbs} />
        <Card>
          <SkeletonRows rows={6} />
        </Card>
      </>
    )

  const { tone, word, tip } = keyState(key, now)
  const actions = { projectId, keyId, name: key.name ?? `${key.start}…` }
  return (
    <>
      <PageHeader
        title={key.name ?? "Unnamed key"}
        crumbs={crumbs}
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

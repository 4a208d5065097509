"use client"

import { useQuery } from "@tanstack/react-query"
import { useState, type ReactNode } from "react"
import { May } from "@/components/access/powers"
import { PageNotLoaded } from "@/components/data/page-not-loaded"
import { CopyText } from "@/components/ui/copy-text"
import { PageHeader } from "@/components/ui/page-header"
import { Pill } from "@/components/ui/pill"
import { RelativeTime } from "@/components/ui/relative-time"
import { KeyRestrictions } from "@/components/api-keys/key-restrictions"
import { keyState } from "@/components/api-keys/key-words"
import { keyDetail, useRevokeKey } from "@/components/api-keys/queries"
import { RotateKey } from "@/components/api-keys/new-key-dialogs"
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

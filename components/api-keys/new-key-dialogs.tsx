"use client"

import { useQuery } from "@tanstack/react-query"
import { lazy, useState } from "react"
import { useMay } from "@/components/access/powers"
import type { CreatedKey } from "@/components/api-keys/key-forms"
import { shownOnce } from "@/components/api-keys/key-words"
import { senderDomains } from "@/components/api-keys/queries"
import { AddDialog } from "@/components/data/add-dialog"
import { Button } from "@/components/ui/button"
import { CodeBlock } from "@/components/ui/code-block"
import { CopyButton } from "@/components/ui/copy-button"
import { DialogFooter } from "@/components/ui/dialog"

const loadCreateForm = () =>
  import("@/components/api-keys/key-forms").then((loaded) => ({ default: loaded.CreateKeyForm }))
const CreateKeyForm = lazy(loadCreateForm)
const loadRotateForm = () =>
  import("@/components/api-keys/key-forms").then((loaded) => ({ default: loaded.RotateKeyForm }))
const RotateKeyForm = lazy(loadRotateForm)

/** For the ready command of a new key. */
type Command = { baseUrl: string; recipient: string }

type CreateKeyDialogProps = Command & { projectId: string }

/** Makes a key, then shows it this once. */
export function CreateKeyDialog({ projectId, ...command }: CreateKeyDialogProps) {
  const may = useMay("projects:write")
  const { created, reveal, dialog } = useNewKey()
  if (!may) return null
  return (
    <AddDialog
      {...dialog}
      action="Create key"
      intent="create-api-key"
      title={created ? "Your new key" : "Create API key"}
      description={created ? shownOnce : undefined}
      load={loadCreateForm}
      height="h-100"
    >
      {(close) =>
        created ? (
          <KeyReveal projectId={projectId} created={created} {...command} onStored={close} />
        ) : (
          <CreateKeyForm projectId={projectId} onCreated={reveal} />
        )
      }
    </AddDialog>
  )
}

type RotateKeyProps = Command & {
  projectId: string
  keyId: string
  name: string
  /** Only a live key can be rotated; but what shows the new one must stay when that has just ended the old one. */
  live: boolean
}

/** Replaces this key with a new one; this one continues to work for a while. */
export function RotateKey({ projectId, keyId, name, live, ...command }: RotateKeyProps) {
  const { created, reveal, dialog } = useNewKey()
  return (
    <AddDialog
      {...dialog}
      action="Rotate key"
      button={live ? {} : null}
      title={created ? "Your new key" : `Rotate ${name}`}
      description={
        created
          ? shownOnce
          : "Creates a new key with the same name and permissions. How long should this key continue to work?"
      }
      load={loadRotateForm}
      height="h-60"
    >
      {(close) =>
        created ? (
          <KeyReveal projectId={projectId} created={created} {...command} onStored={close} />
        ) : (
          <RotateKeyForm projectId={projectId} keyId={keyId} onRotated={reveal} />
        )
      }
    </AddDialog>
  )
}

/** A dialog that makes a key and then shows it this once: locked until the key is stored. */
function useNewKey() {
  const [open, setOpen] = useState(false)
  const [created, setCreated] = useState<CreatedKey>()
  function onOpenChange(next: boolean) {
    setOpen(next)
    if (!next) setCreated(undefined)
  }
  /** Even if the form was closed while the key was being made. */
  function reveal(key: CreatedKey) {
    setCreated(key)
    setOpen(true)
  }
  return { created, reveal, dialog: { open, onOpenChange, locked: created !== undefined } }
}

type KeyRevealProps = {
  projectId: string
  created: CreatedKey
  baseUrl: string
  recipient: string
  onStored: () => void
}

/** Shows a key this once, in a locked dialog that closes by the one button that says so. */
function KeyReveal({ projectId, created, baseUrl, recipient, onStored }: KeyRevealProps) {
  const domains = useQuery(senderDomains(projectId)).data?.data ?? []
  const sender = domains.find(({ status }) => status === "verified") ?? domains[0]
  const curl = curlLine({
    key: created.apiKey,
    permissions: created.permissions ?? {},
    baseUrl,
    projectId,
    recipient,
    domain: sender?.domain,
  })
  return (
    <>
      <CodeBlock code={created.apiKey} name="API key" className="mb-4 text-text">
        <b>{created.apiKey}</b>
      </CodeBlock>
      {curl ? (
        <>
          <p className="mb-1.5 text-sm font-medium">Try it</p>
          <CodeBlock code={curl} name="curl command" />
          {sender?.status === "verified" || !created.permissions?.emails?.includes("send") ? null : (
            <p className="mt-1.5 text-sm text-muted">It is refused until one of your domains is verified.</p>
          )}
        </>
      ) : null}
      <DialogFooter className="flex-row justify-end">
        <CopyButton value={created.apiKey} variant="primary">
          Copy key
        </CopyButton>
        <Button onClick={onStored}>I have stored it</Button>
      </DialogFooter>
    </>
  )
}

type CurlLine = {
  key: string
  permissions: Record<string, string[]>
  baseUrl: string
  projectId: string
  recipient: string
  domain?: string
}

/** A command that works with the key as it is: a first email, or else something that it may read. */
function curlLine({
  key,
  permissions,
  baseUrl,
  projectId,
  recipient,
  domain = "your-domain.com",
}: CurlLine): string | null {
  const authorization = `-H "Authorization: Bearer ${key}"`
  if (permissions.emails?.includes("send")) {
    const mail = { from: `hello@${domain}`, to: [recipient], subject: "Hello", text: "It works." }
    return [
      `curl ${baseUrl}/v1/emails \\`,
      `  ${authorization} \\`,
      `  -H "Content-Type: application/json" \\`,
      `  -d '${JSON.stringify(mail)}'`,
    ].join("\n")
  }
  const readable = reads.find(([area]) => permissions[area]?.includes("read"))
  return readable ? `curl ${baseUrl}/v1/projects/${projectId}${readable[1]} \\\n  ${authorization}` : null
}

const reads = [
  ["emails", "/emails"],
  ["domains", "/domains"],
  ["inbound", "/inbound"],
  ["projects", ""],
  ["usage", "/api-keys"],
] as const

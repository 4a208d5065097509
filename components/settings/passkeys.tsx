"use client"

import { useQuery } from "@tanstack/react-query"
import { Pencil, Trash2 } from "lucide-react"
import { lazy, Suspense, useState } from "react"
import { NotLoaded } from "@/components/data/load-error"
import { passkeys, useDeletePasskey } from "@/components/settings/queries"
import { Button } from "@/components/ui/button"
import { ConfirmDialog } from "@/components/ui/confirm-dialog"
import { Dialog } from "@/components/ui/dialog"
import { IconButton } from "@/components/ui/icon-button"
import { RelativeTime } from "@/components/ui/relative-time"
import type { PasskeyWire } from "@/lib/access/passkeys/schema"

const loadForms = () => import("@/components/settings/passkey-forms")
const AddPasskey = lazy(async () => ({ default: (await loadForms()).AddPasskey }))
const RenamePasskey = lazy(async () => ({ default: (await loadForms()).RenamePasskey }))

type PasskeysProps = {
  /** Does it, after a fresh proof of identity if that is asked for; says `failed` if it fails. */
  guarded: (act: () => Promise<void>, failed: string) => Promise<void>
  onCodes: (recoveryCodes: string[]) => void
}

/** The passkeys of the user, and ways to add, rename and remove them. */
export function Passkeys({ guarded, onCodes }: PasskeysProps) {
  const list = useQuery(passkeys())
  const [adding, setAdding] = useState(false)
  if (!list.data) return <NotLoaded read={list} label="passkeys" rows={1} />
  return (
    <div className="px-4 py-3">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div className="min-w-0">
          <h3 className="font-medium">Passkeys</h3>
          <p className="mt-0.5 text-muted">Sign in with fingerprint, face or PIN of a device, without a password.</p>
        </div>
        <Button onClick={() => setAdding(true)}>Add passkey</Button>
      </div>
      {list.data.data.length ? (
        <ul aria-label="Passkeys" className="mt-3 divide-y divide-line rounded-md border border-line">
          {list.data.data.map((passkey) => (
            <PasskeyRow key={passkey.id} passkey={passkey} guarded={guarded} />
          ))}
        </ul>
      ) : null}
      <Dialog open={adding} onOpenChange={setAdding} size="small" title="Add a passkey">
        <Suspense>
          <AddPasskey
            onAdded={(codes) => {
              setAdding(false)
              if (codes) onCodes(codes)
            }}
          />
        </Suspense>
      </Dialog>
    </div>
  )
}

function PasskeyRow({ passkey, guarded }: { passkey: PasskeyWire; guarded: PasskeysProps["guarded"] }) {
  const remove = useDeletePasskey()
  const [renaming, setRenaming] = useState(false)
  const { id, name, lastUsedAt, createdAt } = passkey
  const confirm = () =>
    guarded(async () => {
      await remove.mutateAsync({ params: { passkeyId: id } })
    }, "The passkey was not removed")
  return (
    <li className="flex items-center justify-between gap-3 py-2 pr-2 pl-3">
      <div className="min-w-0">
        <span className="block font-medium [overflow-wrap:anywhere]">{name}</span>
        <span className="text-muted">
          Added <RelativeTime at={createdAt} />,{" "}
          {lastUsedAt ? (
            <>
              last used <RelativeTime at={lastUsedAt} />
            </>
          ) : (
            "not used yet"
          )}
        </span>
      </div>
      <span className="flex shrink-0">
        <IconButton label={`Rename ${name}`} icon={<Pencil />} onClick={() => setRenaming(true)} />
        <ConfirmDialog
          trigger={<IconButton label={`Remove ${name}`} icon={<Trash2 />} />}
          title={`Remove ${name}?`}
          action="Remove passkey"
          onConfirm={confirm}
        >
          It signs in no longer. Delete it in your device or password manager as well.
        </ConfirmDialog>
      </span>
      <Dialog open={renaming} onOpenChange={setRenaming} size="small" title={`Rename ${name}`}>
        <Suspense>
          <RenamePasskey passkey={passkey} onRenamed={() => setRenaming(false)} />
        </Suspense>
      </Dialog>
    </li>
  )
}

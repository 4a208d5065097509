"use client"

import { lazy, useState } from "react"
import { May } from "@/components/access/powers"
import type { KeyWire } from "@/components/api-keys/key-words"
import { AddDialog } from "@/components/data/add-dialog"
import { Card, CardHeader } from "@/components/ui/card"
import { KeyValues } from "@/components/ui/key-values"

const loadForm = () => import("@/components/api-keys/restrict-key-form")
const RestrictKeyForm = lazy(loadForm)

/** Where a key works from and what it sends from, with the way to change it while it works. */
export function KeyRestrictions({ projectId, apiKey }: { projectId: string; apiKey: KeyWire }) {
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

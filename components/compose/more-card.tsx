"use client"

import { lazy, Suspense } from "react"
import { Card, CardBody } from "@/components/ui/card"
import { Skeleton } from "@/components/ui/skeleton"
import type { KeptDraft } from "@/components/compose/drafts"
import type { Fields } from "@/components/compose/fields"

const loadFields = () => import("@/components/compose/more-fields")
const MoreFields = lazy(loadFields)

type MoreCardProps = { draft: KeptDraft; open: boolean; onOpen: (open: boolean) => void }

/** The remaining fields of the API; collapsed until opened or until one of them has an error. */
export function MoreCard({ draft, open, onOpen }: MoreCardProps) {
  return (
    <Card aria-label="More fields">
      <details open={open} onToggle={({ currentTarget }) => onOpen(currentTarget.open)}>
        <summary
          className="cursor-pointer px-4 py-3 font-semibold -outline-offset-2"
          onPointerEnter={() => void loadFields()}
          onFocus={() => void loadFields()}
        >
          More fields <span className="font-normal text-muted">category, tracking, headers, tags, delivery window</span>
        </summary>
        <CardBody className="border-t border-line">
          {open ? (
            <Suspense fallback={<Skeleton className="h-120" />}>
              <MoreFields draft={draft} />
            </Suspense>
          ) : null}
        </CardBody>
      </details>
    </Card>
  )
}

/** Fields shown here: a fault in one of them opens the card. */
export const moreFields: ReadonlySet<keyof Fields> = new Set([
  "replyTo",
  "sendTimeCategory",
  "tracking",
  "windowStart",
  "windowEnd",
  "giveUpHours",
  "idempotencyKey",
  "headers",
  "tags",
  "metadata",
])

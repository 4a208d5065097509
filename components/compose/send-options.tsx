"use client"

import { useState, lazy, Suspense } from "react"
import { Card, CardBody, CardHeader } from "@/components/ui/card"
import { dateWords, localTime } from "@/components/ui/time-words"
import { Field } from "@/components/ui/field"
import { Input } from "@/components/ui/input"
import { Segmented } from "@/components/ui/segmented"
import { Switch } from "@/components/ui/switch"
import { useInBrowser } from "@/components/ui/page-start"
import { controlId, type KeptDraft } from "@/components/compose/drafts"
import { Skeleton } from "@/components/ui/loading"
import type { Fields } from "@/components/compose/fields"

/** Now or later, and whether anything leaves at all. */
export function WhenCard({ draft: { fields, change, errorOf } }: { draft: KeptDraft }) {
  const [picking, setPicking] = useState(false)
  const tomorrow = tomorrowMorning()
  const isTomorrow = fields.when === "later" && fields.scheduledAt === tomorrow
  const zone = useInBrowser() ? Intl.DateTimeFormat().resolvedOptions().timeZone : ""
  return (
    <Card aria-labelledby="compose-when">
      <CardHeader
        id="compose-when"
        title="When"
        actions={
          <Segmented
            label="When"
            value={isTomorrow && !picking ? "tomorrow" : fields.when}
            onChange={(when) => {
              setPicking(when === "later")
              change(when === "tomorrow" ? { when: "later", scheduledAt: tomorrow } : { when })
            }}
            options={[
              { value: "now", label: "Now" },
              { value: "tomorrow", label: "Tomorrow, 09:00" },
              { value: "later", label: "Pick a time" },
            ]}
          />
        }
      />
      <CardBody>
        {isTomorrow && !picking ? (
          <p className="mb-4 text-muted">
            {dateWords(tomorrow, { weekday: "long", day: "numeric", month: "long" })}, 09:00
            {zone ? `. Your time, ${zone}.` : "."}
          </p>
        ) : fields.when === "later" ? (
          <Field
            label="Send at"
            id={controlId("scheduledAt")}
            error={errorOf("scheduledAt")}
            hint={zone ? `Your time, ${zone}.` : "Your time."}
            required
          >
            <Input
              type="datetime-local"
              className="max-w-60"
              value={fields.scheduledAt}
              onChange={({ target }) => change({ scheduledAt: target.value })}
            />
          </Field>
        ) : null}
        <Switch
          label="Test mode"
          hint="Everything runs except SMTP delivery: no one gets the email, and it uses no quota."
          checked={fields.testMode}
          onChange={({ target }) => change({ testMode: target.checked })}
        />
      </CardBody>
    </Card>
  )
}

function tomorrowMorning(): string {
  const at = new Date()
  at.setDate(at.getDate() + 1)
  at.setHours(9, 0)
  return localTime(at)
}

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

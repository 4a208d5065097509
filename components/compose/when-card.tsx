"use client"

import { Card, CardBody, CardHeader } from "@/components/ui/card"
import { Field } from "@/components/ui/field"
import { Input } from "@/components/ui/input"
import { Segmented } from "@/components/ui/segmented"
import { Switch } from "@/components/ui/switch"
import { useInBrowser } from "@/components/ui/use-in-browser"
import { controlId, type Draft } from "@/components/compose/draft"

/** Now or later, and whether anything leaves at all. */
export function WhenCard({ draft: { fields, change, errorOf } }: { draft: Draft }) {
  const zone = useInBrowser() ? Intl.DateTimeFormat().resolvedOptions().timeZone : ""
  return (
    <Card aria-labelledby="compose-when">
      <CardHeader
        id="compose-when"
        title="When"
        actions={
          <Segmented
            label="When"
            value={fields.when}
            onChange={(when) => change({ when })}
            options={[
              { value: "now", label: "Now" },
              { value: "later", label: "Later" },
            ]}
          />
        }
      />
      <CardBody>
        {fields.when === "later" ? (
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
          hint="Everything runs except the SMTP delivery: it reaches nobody and costs no quota."
          checked={fields.testMode}
          onChange={({ target }) => change({ testMode: target.checked })}
        />
      </CardBody>
    </Card>
  )
}

"use client"

import { useState } from "react"
import { problemOf } from "@/components/data/call"
import { Card, CardHeader } from "@/components/ui/card"
import { Field } from "@/components/ui/field"
import { Select } from "@/components/ui/select"
import { Switch } from "@/components/ui/switch"
import { toast } from "@/components/ui/toast"
import type { ProjectWire } from "@/components/settings/general-form"
import { useUpdateProject } from "@/components/settings/queries"
import type { TlsDemand } from "@/lib/emails/message-rules"

type Tracking = ProjectWire["trackingSettings"]

type Choice = { name: keyof Tracking; label: string; hint: string }

const tracking: Choice[] = [
  {
    name: "openTracking",
    label: "Opens",
    hint: "An invisible image records when an email is opened. Opens by machines are shown separately.",
  },
  {
    name: "clickTracking",
    label: "Clicks",
    hint: "Links redirect through your tracking host, or through this service until that host is reachable.",
  },
  {
    name: "readEngagement",
    label: "Reading time",
    hint: "A second image measures how long an email is read, if the mail program does not load images through a proxy.",
  },
  {
    name: "scrollDepth",
    label: "Scroll depth",
    hint: "With reading time: images further down measure how far an email is read, if the mail program loads images as they appear.",
  },
]

const unsubscribe: Choice[] = [
  {
    name: "unsubscribeTracking",
    label: "One-click unsubscribe",
    hint: "Adds the headers that let mail programs offer to unsubscribe (RFC 8058).",
  },
]

type FormProps = { project: ProjectWire; mayEdit: boolean }

export function TrackingForm(props: FormProps) {
  return (
    <Card>
      <CardHeader
        title="Tracking"
        description="What HTML email to a single recipient reports about its reader. Each email can override these settings."
      />
      <Switches choices={tracking} {...props} />
    </Card>
  )
}

export function UnsubscribeForm(props: FormProps) {
  return (
    <Card>
      <CardHeader title="Unsubscribe" description="How recipients unsubscribe." />
      <Switches choices={unsubscribe} {...props} />
    </Card>
  )
}

const encryption: { value: TlsDemand; label: string }[] = [
  { value: "opportunistic", label: "Where the server offers it" },
  { value: "required", label: "Always" },
  { value: "verified", label: "Always, with a valid certificate" },
]

/** Saved at once, as the switches are. */
export function EncryptionForm({ project, mayEdit }: FormProps) {
  const update = useUpdateProject()

  async function choose(value: string) {
    const tls = encryption.find((each) => each.value === value)?.value
    try {
      await update.mutateAsync({ params: { projectId: project.id }, body: { tls } })
    } catch (error) {
      toast.error("The setting was not saved", { description: problemOf(error).detail })
    }
  }

  return (
    <Card>
      <CardHeader
        title="Encryption"
        description="Of connections to recipients' mail servers, in regions that send directly. Email waits where a server does not do that. Each email can override it."
      />
      <div className="px-4 py-3">
        <Field label="Encrypt">
          <Select
            className="sm:w-96"
            value={project.tls}
            options={encryption}
            disabled={!mayEdit || update.isPending}
            onChange={(event) => void choose(event.target.value)}
          />
        </Field>
      </div>
    </Card>
  )
}

/** Each switch is saved at once, and reverts when saving fails. */
function Switches({ choices, project, mayEdit }: FormProps & { choices: Choice[] }) {
  const update = useUpdateProject()
  const [chosen, setChosen] = useState<Partial<Tracking>>({})
  const shown: Tracking = { ...project.trackingSettings, ...chosen }

  async function choose(name: keyof Tracking, on: boolean) {
    const trackingSettings = { ...shown, [name]: on }
    setChosen(trackingSettings)
    try {
      await update.mutateAsync({ params: { projectId: project.id }, body: { trackingSettings } })
    } catch (error) {
      toast.error("The setting was not saved", { description: problemOf(error).detail })
    }
    setChosen({})
  }

  return (
    <div className="divide-y divide-line">
      {choices.map(({ name, label, hint }) => (
        <div key={name} className="px-4 py-3">
          <Switch
            label={label}
            hint={hint}
            checked={shown[name] ?? false}
            disabled={!mayEdit || update.isPending}
            onChange={(event) => void choose(name, event.target.checked)}
          />
        </div>
      ))}
    </div>
  )
}

"use client"

import { useState } from "react"
import { problemOf } from "@/components/api/problem"
import { Card, CardHeader } from "@/components/ui/card"
import { Switch } from "@/components/ui/switch"
import { toast } from "@/components/ui/toast"
import type { ProjectWire } from "@/components/settings/general-form"
import { useUpdateProject } from "@/components/settings/queries"

type Tracking = ProjectWire["trackingSettings"]

const switches: { name: keyof Tracking; label: string; hint: string }[] = [
  {
    name: "unsubscribeTracking",
    label: "One-click unsubscribe",
    hint: "Adds the headers that let mail programs offer to unsubscribe (RFC 8058).",
  },
  {
    name: "openTracking",
    label: "Opens",
    hint: "Not in effect yet. An invisible picture will tell when an email is opened.",
  },
  { name: "clickTracking", label: "Clicks", hint: "Not in effect yet. Links will pass through your tracking host." },
  { name: "readEngagement", label: "Reading time", hint: "Not in effect yet. Will tell how long an email is read." },
  { name: "scrollDepth", label: "Scroll depth", hint: "Not in effect yet. Will tell how far an email is read." },
]

/** Each switch is saved at once, and reverts when saving fails. */
export function TrackingForm({ project, mayEdit }: { project: ProjectWire; mayEdit: boolean }) {
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
    <Card>
      <CardHeader title="Tracking" description="What emails report about their readers. An email can ask for less." />
      <div className="divide-y divide-line">
        {switches.map(({ name, label, hint }) => (
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
    </Card>
  )
}

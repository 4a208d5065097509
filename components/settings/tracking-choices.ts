import type { ProjectWire } from "@/components/settings/general-form"

/** A project also stores `unsubscribeTracking`, which decides nothing: a switch for it would promise what does not happen. */
export type TrackingChoice = {
  name: Exclude<keyof ProjectWire["trackingSettings"], "unsubscribeTracking">
  label: string
  hint: string
}

export const trackingChoices: readonly TrackingChoice[] = [
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

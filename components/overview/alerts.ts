import { formatNumber } from "@/lib/platform/format"
import { reachedCount, shareText } from "@/components/metrics/rates"
import { nearlyUsed } from "@/components/settings/daily-state"
import { bounceBounds, complaintBounds, judgesBounces, judgesComplaints } from "@/lib/metrics/rules"
import { sandboxOf } from "@/lib/domains/rules"

export type Alert = {
  id: string
  tone: "warn" | "bad"
  title: string
  /** What it means and what to do. */
  detail: string
  action: { label: string; href: string }
  /** Whose missing records are shown with it. */
  domainId?: string
}

type State = {
  region?: { status: string; message?: string }
  domains?: { id: string; domain: string; status: string; transport?: string | undefined }[]
  /** Sends of this UTC day beside what the organization may send, and the time of day at which they run out. */
  daily?: { value: number; used?: number; runsOut?: string; resets: string }
  week?: {
    sent: number
    delivered: number
    deliveryReported?: boolean | undefined
    complained: number
    bounceRate: number
    complaintRate: number
  }
  /** Mail servers that are paused or slowed, and how much email of the project waits for them. */
  waiting?: {
    name: string
    region: string
    waiting: number
    pause?: "away" | "slow" | "block" | "operator" | "warm_up" | undefined
    pacePerMinute?: number | undefined
  }[]
}

/** What needs attention, most severe first; empty if nothing does. */
export function alertsOf(projectId: string, { region, domains = [], daily, week, waiting = [] }: State): Alert[] {
  const root = `/projects/${projectId}`
  const alerts = [
    regionAlert(root, region),
    ...domains.flatMap((domain) => domainAlert(root, domain) ?? []),
    quotaAlert(root, daily),
    ...reputationAlerts(root, week),
    ...waiting.slice(0, waitingShown).map((destination) => waitingAlert(root, destination)),
  ]
  const all = alerts.flatMap((alert) => alert ?? [])
  return [...all.filter(({ tone }) => tone === "bad"), ...all.filter(({ tone }) => tone === "warn")]
}

function regionAlert(root: string, region: State["region"]): Alert | null {
  if (region?.status !== "down") return null
  const action = { label: "Open settings", href: `${root}/settings` }
  return { id: "region", tone: "bad", title: "Email is waiting for its region", detail: region.message ?? "", action }
}

const waitingShown = 3

const pauseWords = {
  away: "None of its mail servers could be reached. They are tried again and again, for 72 hours from the send.",
  slow: "Its mail servers asked us to slow down. The email leaves by itself once they take it again.",
  block: "Its mail servers refuse the address that we send from. Ask who runs this installation.",
  operator: "Who runs this installation has paused it.",
  warm_up: "The address that we send from is new, and has sent what it may today. The rest leaves tomorrow.",
}

function waitingAlert(root: string, destination: NonNullable<State["waiting"]>[number]): Alert {
  const { name, region, waiting, pause, pacePerMinute = 1 } = destination
  const minutes = Math.max(1, Math.ceil(waiting / Math.max(pacePerMinute, 1 / 60)))
  return {
    id: `waiting-${region}-${name}`,
    tone: "warn",
    title: `${formatNumber(waiting)} ${waiting === 1 ? "email waits" : "emails wait"} for ${name}`,
    detail: pause
      ? pauseWords[pause]
      : `It takes ${formatNumber(Math.max(1, Math.round(pacePerMinute)))} a minute at the moment: about ${durationWords(minutes)}.`,
    action: { label: "See waiting emails", href: `${root}/emails?status=queued` },
  }
}

function durationWords(minutes: number): string {
  if (minutes < 90) return minutes === 1 ? "a minute" : `${minutes} minutes`
  return `${formatNumber(Math.round(minutes / 60))} hours`
}

function domainAlert(root: string, item: NonNullable<State["domains"]>[number]): Alert | null {
  const { id, domain, status } = item
  const later = sandboxOf(item) === "captured" && "Publish them once this installation can send."
  const base = { id, domainId: id, action: { label: "Open DNS records", href: `${root}/domains/${id}` } }
  if (status === "degraded") {
    return {
      ...base,
      tone: "warn",
      title: `DNS records of ${domain} are missing`,
      detail: `It sends for 72 hours after they went missing. ${later || "Publish them again, and it recovers by itself."}`,
    }
  }
  if (status !== "failed") return null
  return {
    ...base,
    tone: "bad",
    title: `${domain} cannot send`,
    detail: `Its DNS records have been missing for 72 hours, so sends from it are refused. ${later || "Publish them, then verify it again."}`,
  }
}

function quotaAlert(root: string, daily: State["daily"]): Alert | null {
  if (!daily) return null
  const { value, used = 0, runsOut, resets } = daily
  if (value === 0 || (used < value * nearlyUsed && !runsOut)) return null
  const action = { label: "Open limits", href: `${root}/settings#limits` }
  const sends = `${formatNumber(used)} of ${formatNumber(value)} sends of the organization`
  if (used >= value) {
    return {
      id: "quota",
      tone: "bad",
      title: "Today's quota is used up",
      detail: `${sends}; more are refused until ${resets}.`,
      action,
    }
  }
  return {
    id: "quota",
    tone: "warn",
    title: runsOut
      ? `Today's quota runs out at ${runsOut}`
      : `${Math.floor((used / value) * 100)}% of today's quota is used`,
    detail: `${sends}; at the limit more are refused until ${resets}.`,
    action,
  }
}

function reputationAlerts(root: string, week: State["week"]): (Alert | null)[] {
  if (!week) return []
  const { sent, bounceRate, complaintRate, complained } = week
  const bounces = judgesBounces({ sent }) && toneOf(bounceRate, bounceBounds)
  const complaints =
    judgesComplaints({ reached: reachedCount(week), complained }) && toneOf(complaintRate, complaintBounds)
  return [
    bounces && {
      id: "bounces",
      tone: bounces,
      title: `${shareText(bounceRate)} of the last 7 days were hard bounces`,
      detail:
        "Providers expect less than 2% and act above 5%. Check where these addresses come from, and stop sending to old ones.",
      action: { label: "See bounced emails", href: `${root}/emails?status=bounced` },
    },
    complaints && {
      id: "complaints",
      tone: complaints,
      title: `${shareText(complaintRate)} of the last 7 days were marked as spam`,
      detail:
        "Providers expect less than 0.1% and act above 0.3%. Send only to people who asked for it, and make it easy to unsubscribe.",
      action: { label: "See complaints", href: `${root}/emails?status=complained` },
    },
  ].map((alert) => alert || null)
}

function toneOf(rate: number, bounds: { warning: number; critical: number }): "warn" | "bad" | null {
  if (rate < bounds.warning) return null
  return rate >= bounds.critical ? "bad" : "warn"
}

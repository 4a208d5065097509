/** A notification to the owners of an organization about it or one of its projects. Times are ISO 8601. */
export type Notice = WebhookNotice | DomainNotice | RecordsNotice | QuotaNotice | RateNotice | BroadcastNotice

export type WebhookNotice = { kind: "webhook-disabled"; webhook: string; host: string; reason: "gone" | "failing" }

export type DomainNotice = {
  kind: "domain-status"
  domain: string
  status: "degraded" | "failed" | "verified"
  /** Since when records have been missing, and until when email is sent nevertheless. */
  since?: string
  until?: string
  /** What is wrong with each required record. */
  faults: readonly string[]
}

/** Records of a verified domain have other values since the installation changed its names; `until`: the old ones count. */
export type RecordsNotice = {
  kind: "records-changed"
  domain: string
  until?: string
  /** Each as a line: name, type, priority and value. */
  records: readonly string[]
}

export type QuotaNotice = {
  kind: "quota-used"
  organization: string
  percent: 80 | 100
  used: number
  daily: number
  /** How high the owners may set the limit. */
  ceiling: number
  resetsAt: string
}

/** A broadcast that stopped itself: how many of its emails bounced or were complained about. */
export type BroadcastNotice = {
  kind: "broadcast-stopped"
  subject: string
  reason: "bounces" | "complaints"
  count: number
  of: number
}

/** Words of the advisor, which judges the rates. */
export type RateNotice = { kind: "rate-critical"; title: string; message: string; cause: string; fix: string }

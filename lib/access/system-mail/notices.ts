/** What the owners of an organization are told about it or one of its projects. Times are ISO 8601. */
export type Notice = WebhookNotice | DomainNotice | QuotaNotice | RateNotice

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

/** Words of the advisor, which judges the rates. */
export type RateNotice = { kind: "rate-critical"; title: string; message: string; cause: string; fix: string }

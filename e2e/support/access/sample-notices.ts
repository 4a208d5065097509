import type { RecordFault } from "@/lib/explanation/record-words"
import type { Notice } from "@/lib/access/system-mail/system-mail"

const recordFaults: RecordFault[] = [
  {
    ...{ record: "dkim-a", name: "mrabcdefa._domainkey.acme.com", expected: "v=DKIM1; k=rsa; p=MIIB", found: [] },
    ...{ code: "not-found", facts: {} },
  },
  {
    ...{ record: "mail-from-spf", name: "send.acme.com", expected: "v=spf1 include:spf.mailroom.test ~all" },
    ...{ found: ['"v=spf1 include:spf.mailroom.test ~all"'], code: "quoted", facts: {} },
  },
]
const missing = { since: "2026-11-22T10:04:00.000Z", until: "2026-11-25T10:04:00.000Z", recordFaults, faults: [] }
const quota = { kind: "quota-used", organization: "Acme", daily: 50_000, resetsAt: "2026-11-23T00:00:00.000Z" } as const

/** One of each kind and state of notice, for tests of their words. */
export const sampleNotices = {
  webhook: { kind: "webhook-disabled", webhook: "Orders", host: "hooks.acme.com", reason: "gone" },
  degraded: { kind: "domain-status", domain: "acme.com", status: "degraded", ...missing },
  failed: { kind: "domain-status", domain: "acme.com", status: "failed", ...missing },
  verified: { kind: "domain-status", domain: "acme.com", status: "verified", faults: [] },
  quota80: { ...quota, percent: 80, used: 40_012, ceiling: 80_000 },
  quota100: { ...quota, percent: 100, used: 50_000, ceiling: 50_000 },
  rate: {
    ...{ kind: "rate-critical", rate: "bounces", count: 40, of: 620, base: "sent" },
    cause: { by: "topic", name: "News", count: 38 },
  },
  broadcast: { kind: "broadcast-stopped", subject: "What is new", reason: "bounces", count: 31, of: 512 },
} as const satisfies Record<string, Notice>

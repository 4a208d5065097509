import type { Reach } from "@/lib/platform/networks"
import type { ReturnRoute } from "@/lib/delivery/regions/return-route-store"
import type { ServiceNames } from "@/lib/domains/records/records"
import type { SubmissionSettings } from "@/lib/delivery/smtp/submission-settings"
import type { Stub } from "@/lib/platform/dns/stub"
import type { Dns } from "@/lib/platform/dns/dns"
import type { Region } from "@/lib/regions/regions"
import type { RegionProfile } from "@/lib/regions/settings"
import type { Evidence } from "@/lib/delivery/setup/evidence"
import type { CheckState, SetupCode, SetupKey, SetupKind, SetupState } from "@/lib/delivery/setup/schema"

/** An address that a region sends from, and the name that it gives to other servers. */
export type SetupSource = { region: Region; address: string; ehloName: string }

/** A region that sends to others, with the addresses that are known of it. */
export type SetupRegion = { profile: RegionProfile; sources: readonly SetupSource[] }

/** What the checks go by; tests name other servers to ask and other ports. */
export type SetupContext = {
  dns: Dns
  /** The resolvers of the direct transport: for reverse names, DNSSEC and block lists. */
  stub: Stub
  validation: { isNamed: boolean; trusted: boolean; signed: string; bogus: string }
  service: ServiceNames
  /** BASE_URL. */
  origin: string
  submission: SubmissionSettings
  /** That sign the certificates of the origin and of submission; those of Node.js if left out. */
  roots?: string[]
  /** Whether an address may be dialled. */
  reach: (address: string) => Reach
  regions: readonly SetupRegion[]
  returnRoutes: readonly ReturnRoute[]
  /** When an event of Amazon SES came last, by region. */
  sesEvents: ReadonlyMap<string, Date>
  dkim: { name: string; value: string; publicKey: string }
  /** Whose mail servers show whether outbound connections are let through, and their port. */
  outbound: { domains: readonly string[]; port: number; timeoutMs: number }
  blockLists: readonly string[]
  now: Date
  /** By how much the clock of this machine is before that of the database; negative if it is behind. */
  clockLeadMs: number
}

/** What a row is about: the installation, one of its regions, or an address of one. */
export type SetupSubject = { region?: SetupRegion; source?: SetupSource }

/** What a check found, as data. */
export type Checked = {
  state: CheckState
  /** Why it is not `ok`. */
  code?: SetupCode
  expected: Evidence[]
  found: Evidence[]
}

export type SetupDeclaration = {
  key: SetupKey
  kind: SetupKind
  /** What the row is for; nothing if the installation has none of it. */
  subjects: (context: SetupContext) => SetupSubject[]
  check: (context: SetupContext, subject: SetupSubject) => Promise<Checked>
}

/** What is kept of the checks of a row. */
export type KeptCheck = Checked & {
  /** When it was answered last. */
  checkedAt: Date
  /** When a later check got no answer. */
  unansweredAt: Date | null
  redSince: Date | null
}

const unanswered: SetupCode = "lookup_failed"
const silent: readonly (SetupCode | undefined)[] = [unanswered, "not_checked"]

/** What is kept after a check: one without an answer says nothing, so the row keeps the state that it had. */
export function keptAfter(before: KeptCheck | null, checked: Checked, now: Date): KeptCheck {
  const isAnswered = checked.code !== unanswered
  if (!isAnswered && before !== null && !silent.includes(before.code)) return { ...before, unansweredAt: now }
  const redSince = checked.state === "wrong" ? (before?.redSince ?? now) : null
  return { ...checked, checkedAt: now, unansweredAt: null, redSince }
}

/** The state of a row that an operator may have confirmed: done, for what is done by hand, else overridden unless it is right. */
export function shownState(kind: SetupKind, state: CheckState, isConfirmed: boolean): SetupState {
  if (!isConfirmed || state === "ok") return state
  return kind === "by_hand" ? "ok" : "overridden"
}

/** Whether email may go to others: no required row lacks anything, but for what an operator overrides. */
export function isReady(rows: readonly { kind: SetupKind; state: SetupState }[]): boolean {
  return rows.every(({ kind, state }) => kind !== "required" || state === "ok" || state === "overridden")
}

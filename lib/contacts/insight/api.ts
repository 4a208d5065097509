import { z } from "zod"
import { buckets } from "@/lib/access/limits/data"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { contactExists } from "@/lib/contacts/data"
import * as validation from "@/lib/contacts/insight/data"
import { latestActivity } from "@/lib/contacts/insight/data"
import type { Verdict } from "@/lib/contacts/rules"
import { Activity, contactMissing, EmailValidation, ValidationRecord } from "@/lib/contacts/schema"
import { type Clock, hourMs } from "@/lib/platform/time"
import { type Dns, withinMs } from "@/lib/platform/dns/dns"
import { endpoint } from "@/lib/platform/http/endpoint"
import { requestInvalid } from "@/lib/platform/http/problems"

const entriesMax = 10

export const getContactActivity = endpoint({
  route: "GET /v1/projects/{projectId}/contacts/{contactId}/activity",
  operationId: "getContactActivity",
  tag: "Contacts",
  summary: "Last 10 activity entries",
  description:
    "Newest first: email to the address, changes of segments and topics, suppressions, and the creation. Opens by machines are excluded.",
  access: allow("contacts:read"),
  bucket: buckets.contacts,
  path: { contactId: { prefix: "con", missing: contactMissing } },
  answers: [200, z.array(Activity)],
  problems: [projectMissing, contactMissing],

  async run(scope, { path }) {
    if (!(await contactExists(scope, path.contactId))) throw contactMissing()
    return latestActivity(scope, path.contactId, entriesMax)
  },
})

const contactId = { prefix: "con", missing: contactMissing } as const

export const getContactEmailValidationStatus = endpoint({
  route: "GET /v1/projects/{projectId}/contacts/{contactId}/email-validation",
  operationId: "getContactEmailValidationStatus",
  tag: "Contacts",
  summary: "Contact email validation status",
  description:
    "The recorded result, or else our own, which is stored: whether the domain accepts email (checked for at most 3 s, cached for an hour), whether it is disposable, and whether the address is a role such as `info`. No mail server is asked about a mailbox.",
  access: allow("contacts:read"),
  bucket: buckets.contacts,
  path: { contactId },
  answers: [200, EmailValidation],
  problems: [projectMissing, contactMissing],

  async run(scope, { path }, io) {
    const found = await validation.findValidation(scope, path.contactId)
    if (!found) throw contactMissing()
    const { email, ...recorded } = found
    if (recorded.validatedAt) return recorded
    const verdict = await checkAddress(email, io)
    if (verdict.status === "unknown") return { ...recorded, ...verdict }
    const now = io.clock.now()
    await validation.keepVerdict(scope, path.contactId, verdict, now)
    return { ...recorded, ...verdict, validatedAt: now }
  },
})

export const recordContactEmailValidation = endpoint({
  route: "POST /v1/projects/{projectId}/contacts/{contactId}/email-validation",
  operationId: "recordContactEmailValidation",
  tag: "Contacts",
  summary: "Record validation result",
  description: "Records the result of your own check. It replaces any earlier result and is written to the audit log.",
  access: allow("contacts:write"),
  bucket: buckets.contacts,
  path: { contactId },
  body: ValidationRecord,
  answers: [204],
  problems: [requestInvalid, projectMissing, contactMissing],
  example: { body: { status: "valid", reason: "Confirmed by our own form" } },

  async run(scope, { path, body }, { clock }) {
    if (!(await validation.recordVerdict(scope, path.contactId, body, clock.now()))) throw contactMissing()
  },
})

// The check of an address

/** For all lookups of one check together. */
const lookupsMs = 3_000
const cacheMs = hourMs
const cachedMax = 10_000

type World = { dns: Dns; clock: Clock }

/**
 * Checks an address without sending to it: whether its domain accepts mail (RFC 5321 section 5.1, RFC 7505), and whether it
 * is disposable or a role address. No server is asked about the mailbox.
 */
async function checkAddress(email: string, world: World): Promise<Verdict> {
  const [local = "", domain = ""] = email.split("@")
  const reachable = await reachOf(domain, world)
  if (reachable.status !== "valid") return reachable
  if (isDisposable(domain)) return { status: "risky", reason: "disposable: the domain gives out throw-away addresses" }
  if (roles.has(local.split("+")[0] ?? ""))
    return { status: "risky", reason: "role: the address is of a function, not of a person" }
  return { status: "valid" }
}

const known = new Map<string, { verdict: Verdict; until: number }>()

/** What the DNS says of a domain, cached for an hour; a failed lookup is not cached. */
async function reachOf(domain: string, { dns, clock }: World): Promise<Verdict> {
  const now = clock.now().getTime()
  const cached = known.get(domain)
  if (cached && cached.until > now) return cached.verdict
  const verdict = await lookUp(domain, withinMs(dns, lookupsMs))
  if (verdict.status === "unknown") return verdict
  known.delete(domain)
  known.set(domain, { verdict, until: now + cacheMs })
  const [oldest] = known.keys()
  if (known.size > cachedMax && oldest !== undefined) known.delete(oldest)
  return verdict
}

async function lookUp(domain: string, dns: Dns): Promise<Verdict> {
  const mx = await dns.mx(domain)
  if (mx.kind === "found") {
    const takesNone = mx.values.every(({ exchange }) => exchange === "" || exchange === ".")
    return takesNone
      ? { status: "invalid", reason: "null_mx: the domain says that it takes no mail" }
      : { status: "valid" }
  }
  if (mx.kind === "error") return { status: "unknown", reason: "dns: the domain could not be looked up" }
  if (mx.reason === "no-name") return { status: "invalid", reason: "no_domain: the domain does not exist" }
  const addresses = await dns.addresses(domain)
  if (addresses.kind === "found") return { status: "valid" }
  if (addresses.kind === "error") return { status: "unknown", reason: "dns: the domain could not be looked up" }
  return { status: "invalid", reason: "no_mx: the domain has no mail server" }
}

function isDisposable(domain: string): boolean {
  const labels = domain.split(".")
  return labels.some((_, at) => disposable.has(labels.slice(at).join(".")))
}

const disposable = new Set(
  `10minutemail.com 20minutemail.com burnermail.io discard.email dispostable.com dropmail.me emailondeck.com
  fakeinbox.com getairmail.com getnada.com grr.la guerrillamail.com guerrillamail.net guerrillamailblock.com inboxkitten.com
  mailcatch.com maildrop.cc mailinator.com mailinator.net mailnesia.com mailsac.com minuteinbox.com mintemail.com moakt.com
  mohmal.com mytemp.email sharklasers.com spam4.me spamgourmet.com temp-mail.org tempail.com tempmail.dev tempmailo.com
  tempr.email throwawaymail.com trashmail.com trashmail.de wegwerfmail.de yopmail.com yopmail.fr`.split(/\s+/),
)

const roles = new Set(
  `abuse accounts admin administrator billing contact customerservice helpdesk hostmaster hr info jobs mailer-daemon
  marketing news no-reply noc noreply office postmaster press privacy root sales security support team webmaster`.split(
    /\s+/,
  ),
)

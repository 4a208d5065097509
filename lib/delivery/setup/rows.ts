import { isIPv4 } from "node:net"
import { checkSesAccount, checkSesConfigurationSet, checkSesEvents, checkSesIdentity } from "@/lib/delivery/setup/ses"
import { checkOrigin, checkOutbound, checkRelay, checkSubmission } from "@/lib/delivery/setup/connections"
import {
  checkBlockLists,
  checkResolver,
  addressLine,
  checkMx,
  checkReverse,
  checkSpf,
  isGeneric,
  records,
  sameAddress,
} from "@/lib/delivery/setup/dns-checks"
import type { Evidence } from "@/lib/delivery/setup/evidence"
import type { Checked, SetupContext, SetupDeclaration, SetupSource, SetupSubject } from "@/lib/delivery/setup/checks"
import { judgeKeys } from "@/lib/domains/check/compare"
import { isDmarc, isPlain, parseTags, policyOf } from "@/lib/domains/records/dmarc-record"
import { feedbackHost, mailFromHosts, spfHost, trackingTarget } from "@/lib/domains/records/records"
import { sandboxServiceDomain } from "@/lib/platform/env/fields"
import { regionNames } from "@/lib/regions/regions"

/** All rows of the set-up. The page, the API and `admin doctor` show them. */
export const setupRows: readonly SetupDeclaration[] = [
  { key: "service_domain", kind: "required", subjects: ofInstallation, check: checkServiceDomain },
  { key: "origin", kind: "required", subjects: ofInstallation, check: checkOrigin },
  {
    key: "service_spf",
    kind: "required",
    subjects: ofInstallation,
    check(context) {
      const { service, regions } = context
      const senders = regions.flatMap(({ profile, sources }) => {
        const include = mailFromHosts(profile.region, service).spf
        return sources.flatMap(({ address }) => (address ? { address, include } : []))
      })
      return checkSpf(context, service.serviceDomain, senders, serviceSpf(regions, service))
    },
  },
  {
    key: "service_dkim",
    kind: "required",
    subjects: ofInstallation,
    check: ({ dns, dkim }) =>
      records(dns.txt(dkim.name), {
        expected: [`${dkim.name} TXT ${dkim.value}`],
        // With a second record of any kind there, receivers may read that one.
        isOne: () => true,
        isRight: (text) => judgeKeys([text], dkim.name, dkim).outcome === "valid",
        line: (text) => `${dkim.name} TXT ${text}`,
      }),
  },
  {
    key: "service_dmarc",
    kind: "required",
    subjects: ofInstallation,
    check({ dns, service }) {
      const name = `_dmarc.${service.serviceDomain}`
      return records(dns.txt(name), {
        expected: [`${name} TXT ${serviceDmarc}`],
        isOne: isDmarc,
        isRight: (text) => policyOf(tagsOf(text)?.get("p")) !== null,
        line: (text) => `${name} TXT ${text}`,
      })
    },
  },
  {
    key: "service_mx",
    kind: "required",
    subjects: ofInstallation,
    check: (context) => checkMx(context, context.service.serviceDomain, () => true),
  },
  {
    key: "report_mx",
    kind: "required",
    subjects: ofInstallation,
    check: (context) =>
      checkMx(context, context.service.reportDomain, (host) =>
        regionNames.some((region) => feedbackHost(region, context.service) === host),
      ),
  },
  {
    key: "report_wildcard",
    kind: "required",
    subjects: ofInstallation,
    check({ dns, service }) {
      // A name that no domain has: only the wildcard answers there.
      const wildcard = `_report._dmarc.${service.reportDomain}`
      return records(dns.txt(`set-up-check.example.${wildcard}`), {
        expected: [`*.${wildcard} TXT v=DMARC1;`],
        isOne: isDmarc,
        isRight: (text) => tagsOf(text) !== null,
        line: (text) => `*.${wildcard} TXT ${text}`,
      })
    },
  },
  {
    key: "ehlo_address",
    kind: "required",
    subjects: ofAddresses,
    async check({ dns }, subject) {
      const { address, ehloName } = sourceOf(subject)
      const type = isIPv4(address) || address === "" ? "A" : "AAAA"
      return records(dns.addresses(ehloName), {
        expected: [
          address ? `${ehloName} ${type} ${address}` : { code: "sending_address", facts: { name: ehloName, type } },
        ],
        isRight: (found) => address === "" || sameAddress(found, address),
        line: (found) => addressLine(ehloName, found),
      })
    },
  },
  {
    key: "reverse_name",
    kind: "required",
    subjects: ofAddresses,
    check: (context, subject) =>
      checkReverse(context, sourceOf(subject), async (names, { address, ehloName }) => {
        if (!names.includes(ehloName)) return { state: "wrong", code: "different" }
        const back = await context.dns.addresses(ehloName)
        if (back.kind === "error") return { state: "unknown", code: "lookup_failed", found: [back.reason] }
        const isBack = back.kind === "found" && back.values.some((one) => sameAddress(one, address))
        if (isBack) return { state: "ok" }
        const found = back.kind === "found" ? back.values : []
        return {
          ...{ state: "wrong", code: "not_back", expected: [addressLine(ehloName, address)] },
          found: found.map((one) => addressLine(ehloName, one)),
        }
      }),
  },
  {
    key: "reverse_generic",
    kind: "required",
    subjects: ofAddresses,
    async check(context, subject) {
      const checked = await checkReverse(context, sourceOf(subject), (names, { address }) =>
        names.some((name) => isGeneric(name, address)) ? { state: "wrong", code: "generic" } : { state: "ok" },
      )
      // That there is none is said by the row before.
      return checked.code === "missing" ? { ...checked, state: "waiting" } : checked
    },
  },
  {
    key: "ehlo_spf",
    kind: "required",
    subjects: ofAddresses,
    check: (context, subject) => checkAddressSpf(context, sourceOf(subject).ehloName, subject, "v=spf1 a -all"),
  },
  {
    key: "region_spf",
    kind: "required",
    subjects: ofAddresses,
    check(context, subject) {
      const { region } = sourceOf(subject)
      return checkAddressSpf(context, spfHost(region, context.service), subject, regionSpf(sourcesOf(context, region)))
    },
  },
  {
    key: "feedback_address",
    kind: "required",
    subjects: ofRegions,
    check({ dns, service }, { region }) {
      const host = region ? feedbackHost(region.profile.region, service) : ""
      return records(dns.addresses(host), {
        expected: [{ code: "server_address", facts: { host } }],
        isRight: () => true,
        line: (found) => addressLine(host, found),
      })
    },
  },
  { key: "outbound_port", kind: "required", subjects: ofDirectRegions, check: checkOutbound },
  { key: "relay", kind: "required", subjects: ofRelayRegions, check: checkRelay },
  {
    key: "loop_test",
    kind: "required",
    // What a region sends by SES returns to SES.
    subjects: (context) => ofRegions(context).filter(({ region }) => region?.profile.transport !== "ses"),
    async check({ returnRoutes }, { region }) {
      const expected: Evidence[] = [{ code: "mail_comes_back", facts: {} }]
      const test = returnRoutes.find((route) => route.region === region?.profile.region)
      if (!test) return { state: "waiting", code: "never_run", expected, found: [] }
      if (test.endedAt === null) return { state: "waiting", code: "under_way", expected, found: [] }
      const { code, diagnostic, endedAt } = test
      if (code === "passed") {
        const passed: Evidence = { code: "loop_test_passed", facts: { at: endedAt.toISOString() } }
        return { state: "ok", expected, found: [passed] }
      }
      const facts = { code: code ?? "lost", ...(diagnostic && { diagnostic }) }
      return { state: "wrong", code: "failed", expected, found: [{ code: "loop_test_ended", facts }] }
    },
  },
  { key: "ses_account", kind: "required", subjects: ofSesRegions, check: checkSesAccount },
  {
    key: "ses_configuration_set",
    kind: "required",
    subjects: (context) =>
      ofSesRegions(context).filter(
        ({ region }) => region?.profile.transport === "ses" && region.profile.ses.configurationSet !== undefined,
      ),
    check: checkSesConfigurationSet,
  },
  { key: "ses_identity", kind: "required", subjects: ofSesRegions, check: checkSesIdentity },
  { key: "ses_events", kind: "recommended", subjects: ofSesRegions, check: checkSesEvents },
  { key: "resolver", kind: "recommended", subjects: ofDirect, check: checkResolver },
  { key: "block_lists", kind: "recommended", subjects: ofAddresses, check: checkBlockLists },
  {
    key: "tracking_host",
    kind: "recommended",
    subjects: ofInstallation,
    check({ dns, service, origin }) {
      const host = trackingTarget(service)
      return records(dns.addresses(host), {
        expected: [`${host} CNAME ${new URL(origin).hostname}`],
        isRight: () => true,
        line: (found) => addressLine(host, found),
      })
    },
  },
  { key: "submission_certificate", kind: "recommended", subjects: ofInstallation, check: checkSubmission },
  { key: "clock", kind: "recommended", subjects: ofInstallation, check: checkClock },
  {
    key: "inbound_port",
    kind: "by_hand",
    subjects: ofRegions,
    check: ({ service }, { region }) =>
      byHand({
        code: "port_reached",
        facts: { host: region ? feedbackHost(region.profile.region, service) : "" },
      }),
  },
  {
    key: "postmaster_tools",
    kind: "by_hand",
    subjects: ofInstallation,
    check: ({ service }) => byHand({ code: "postmaster_verified", facts: { domain: service.serviceDomain } }),
  },
  {
    key: "yahoo_feedback",
    kind: "by_hand",
    subjects: ofInstallation,
    check: ({ service }) => byHand({ code: "domain_complaints", facts: { domain: service.serviceDomain } }),
  },
  {
    key: "microsoft_feedback",
    kind: "by_hand",
    subjects: ofDirect,
    check: ({ service }) => byHand({ code: "address_complaints", facts: { domain: service.serviceDomain } }),
  },
]

// Subjects

function ofInstallation({ regions }: SetupContext): SetupSubject[] {
  return regions.length > 0 ? [{}] : []
}

function ofRegions({ regions }: SetupContext): SetupSubject[] {
  return regions.map((region) => ({ region }))
}

function ofDirectRegions(context: SetupContext): SetupSubject[] {
  return ofRegions(context).filter(({ region }) => region?.profile.transport === "direct")
}

function ofRelayRegions(context: SetupContext): SetupSubject[] {
  return ofRegions(context).filter(({ region }) => region?.profile.transport === "smtp")
}

function ofSesRegions(context: SetupContext): SetupSubject[] {
  return ofRegions(context).filter(({ region }) => region?.profile.transport === "ses")
}

function ofDirect(context: SetupContext): SetupSubject[] {
  return ofDirectRegions(context).length > 0 ? [{}] : []
}

function ofAddresses(context: SetupContext): SetupSubject[] {
  return ofDirectRegions(context).flatMap(({ region }) =>
    region ? region.sources.map((source) => ({ region, source })) : [],
  )
}

function sourcesOf({ regions }: SetupContext, name: string): readonly SetupSource[] {
  return regions.find(({ profile }) => profile.region === name)?.sources ?? []
}

function sourceOf({ source }: SetupSubject): SetupSource {
  if (!source) throw new Error("A row about an address has one.")
  return source
}

/** Nobody can publish records below a name that is reserved for tests (RFC 6761). */
async function checkServiceDomain({ service }: SetupContext): Promise<Checked> {
  const expected: Evidence[] = [{ code: "own_domain", facts: {} }]
  const found: Evidence[] = [{ code: "service_domain", facts: { domain: service.serviceDomain } }]
  return service.serviceDomain === sandboxServiceDomain
    ? { state: "wrong", code: "service_of_sandbox", expected, found }
    : { state: "ok", expected, found }
}

const clockDiffersMaxMs = 5_000

/** Without lookups: the database's clock is the one that all processes share. */
async function checkClock({ clockLeadMs }: SetupContext): Promise<Checked> {
  const expected: Evidence[] = [{ code: "clocks_within", facts: { seconds: clockDiffersMaxMs / 1_000 } }]
  const found: Evidence[] = [{ code: "clock_lead", facts: { ms: clockLeadMs } }]
  return Math.abs(clockLeadMs) <= clockDiffersMaxMs
    ? { state: "ok", expected, found }
    : { state: "wrong", code: "clock_differs", expected, found }
}

async function checkAddressSpf(
  context: SetupContext,
  name: string,
  subject: SetupSubject,
  value: string,
): Promise<Checked> {
  const { address, ehloName } = sourceOf(subject)
  if (address === "" || (name === ehloName && (await context.dns.addresses(name)).kind === "missing"))
    return { state: "waiting", code: "no_address", expected: [`${name} TXT ${value}`], found: [] }
  return checkSpf(context, name, [{ address }], value)
}

async function byHand(expected: Evidence): Promise<Checked> {
  return { state: "waiting", code: "not_done", expected: [expected], found: [] }
}

/** Null where receivers ignore the record (RFC 9989 4.7). */
function tagsOf(record: string): Map<string, string> | null {
  return isPlain(record) ? parseTags(record) : null
}

/** The records of the service domain as the zone file has them. */
export const serviceDmarc = "v=DMARC1; p=quarantine"

export function serviceSpf(regions: SetupContext["regions"], service: SetupContext["service"]): string {
  const hosts = regions.map(({ profile }) => mailFromHosts(profile.region, service).spf)
  return ["v=spf1", ...[...new Set(hosts)].map((host) => `include:${host}`), "-all"].join(" ")
}

export function regionSpf(sources: readonly SetupSource[]): string {
  const terms = sources.flatMap(({ address }) =>
    address === "" ? [] : [isIPv4(address) ? `ip4:${address}` : `ip6:${address}`],
  )
  return ["v=spf1", ...(terms.length > 0 ? terms : ["ip4:<address>"]), "-all"].join(" ")
}

import { z } from "zod"
import { addAudit } from "@/lib/access/audit/data"
import { buckets } from "@/lib/access/limits/data"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { hostname } from "@/lib/addresses/hostname"
import { sendingHostname } from "@/lib/addresses/registrable"
import { checkDomain } from "@/lib/domains/check/check"
import * as checks from "@/lib/domains/check/data"
import * as domains from "@/lib/domains/data"
import { zoneFile } from "@/lib/domains/records/zone-file"
import { changeHostNames, type Claim, removeDomain } from "@/lib/domains/registration/data"
import { ours, withMailFrom, register } from "@/lib/domains/registration/register"
import { cannotSendYet, waitsForInstallation } from "@/lib/domains/rules"
import {
  alreadyVerified,
  Domain,
  DomainChange,
  DomainCheckPage,
  domainMissing,
  DomainPage,
  domainTaken,
  mailFromTaken,
  NewDomain,
  regionNotEntitled,
} from "@/lib/domains/schema"
import { areaSettings, env } from "@/lib/platform/env/env"
import { endpoint, Reply } from "@/lib/platform/http/endpoint"
import { page, pageQuery } from "@/lib/platform/http/paging"
import type { FieldProblem } from "@/lib/platform/http/problem"
import { requestInvalid } from "@/lib/platform/http/problems"
import { encodeId } from "@/lib/platform/ids"
import { limitReached, reached } from "@/lib/projects/schema"
import { regionSettings } from "@/lib/regions/settings"
import { feedbackHost, type ServiceNames, spfHost } from "@/lib/domains/records/records"
import { createDns, type Dns } from "@/lib/platform/dns/dns"
import type { Region } from "@/lib/regions/regions"

const domainPath = { domainId: { prefix: "dom", missing: domainMissing } } as const

export const listDomains = endpoint({
  route: "GET /v1/projects/{projectId}/domains",
  operationId: "listDomains",
  tag: "Sending domains",
  summary: "List domains",
  description: "Newest first, in short form. Get a single domain to see the records to publish.",
  access: allow("domains:read"),
  bucket: buckets.domains,
  query: pageQuery(),
  answers: [200, DomainPage],
  problems: [projectMissing],

  async run(scope, { query }) {
    const { data, total } = await domains.findDomains(scope, query)
    return page(query, data, total)
  },
})

export const createDomain = endpoint({
  route: "POST /v1/projects/{projectId}/domains",
  operationId: "registerDomain",
  tag: "Sending domains",
  summary: "Register domain",
  description:
    "Responds with the DNS records to publish. We check them after 5, 15 and 30 seconds, then less and less often, up to every six hours; `verify` checks now. A project can register a domain once, whatever the region. Another project may register it too, with its own keys, names and records.",
  access: allow("domains:write"),
  bucket: buckets.domains,
  body: NewDomain,
  answers: [201, Domain],
  location: "/v1/projects/{projectId}/domains/{id}",
  problems: [requestInvalid, regionNotEntitled, limitReached, projectMissing, domainTaken],
  example: { body: { domain: "acme.example", region: "eu-west-1" } },

  async run(scope, { body }, io) {
    const read = sendingHostname(body.domain, [env().serviceDomain, env().reportDomain])
    if (!read.ok) throw invalid(`This name ${read.reason}`)
    if (body.region !== scope.project.region && !scope.organization.multiRegion) {
      throw regionNotEntitled(
        `The project's home region is ${scope.project.region}; a domain in ${body.region} needs the multi-region entitlement.`,
      )
    }
    const added = await register(scope, { name: read.ascii, region: body.region }, io)
    if (typeof added === "string") throw domainTaken(`${read.ascii} is already registered in this project.`)
    if ("limit" in added) throw reached("maxDomains", added.limit)
    return added.domain
  },
})

export const getDomain = endpoint({
  route: "GET /v1/projects/{projectId}/domains/{domainId}",
  operationId: "getDomain",
  tag: "Sending domains",
  summary: "Get domain",
  description: "With every record to publish, its status, and what the last check found.",
  access: allow("domains:read"),
  bucket: buckets.domains,
  path: domainPath,
  answers: [200, Domain],
  problems: [projectMissing, domainMissing],

  async run(scope, { path }, io) {
    const domain = await domains.findDomain(scope, path.domainId, io.clock.now())
    if (!domain) throw domainMissing()
    return domain
  },
})

export const updateDomain = endpoint({
  route: "PATCH /v1/projects/{projectId}/domains/{domainId}",
  operationId: "updateDomain",
  tag: "Sending domains",
  summary: "Update domain's host names",
  description:
    "Changes the MAIL FROM domain and the tracking host, both below the domain. This is possible only until the domain is verified for the first time, because bounces and links of sent email then use them. Omitted fields are unchanged. Check results for the old names are discarded.",
  access: allow("domains:write"),
  bucket: buckets.domains,
  path: domainPath,
  body: DomainChange,
  answers: [200, Domain],
  problems: [requestInvalid, projectMissing, domainMissing, alreadyVerified, mailFromTaken],
  additive: true,
  example: { body: { trackingDomain: "go.acme.example" } },

  async run(scope, { path, body }, io) {
    const watched = await checks.watchedDomain(scope, path.domainId)
    if (!watched) throw domainMissing()
    const { names, faults } = hostNameFaults(watched, body)
    if (faults.length) throw requestInvalid("A host name cannot be used.", { errors: faults })
    const mailFromDomain = names.mailFromDomain ?? watched.mailFromDomain
    const change = (mailFrom: Claim) => changeHostNames(scope, path.domainId, names, { mailFrom, now: io.clock.now() })
    const renamed =
      mailFromDomain === watched.mailFromDomain ? await change(ours) : await withMailFrom(mailFromDomain, change)
    if (renamed === "verified") throw alreadyVerified()
    if (renamed === "mail-from-taken") throw mailFromTaken()
    const domain = await domains.findDomain(scope, path.domainId)
    if (renamed === "missing" || !domain) throw domainMissing()
    return domain
  },
})

export const deleteDomain = endpoint({
  route: "DELETE /v1/projects/{projectId}/domains/{domainId}",
  operationId: "deleteDomain",
  tag: "Sending domains",
  summary: "Delete domain",
  description:
    "Permanent. Later sends from the domain are refused. Email already accepted is still sent, including retries, and signed with the domain's key. The key is destroyed once the last of that email has ended, so leave the DNS records in place until then. Scheduled email fails when it is due, with the reason. Registering the domain again creates new keys, with new records.",
  access: allow("domains:write"),
  bucket: buckets.domains,
  path: domainPath,
  answers: [204],
  problems: [projectMissing, domainMissing],

  async run(scope, { path }) {
    if (!(await removeDomain(scope, path.domainId))) throw domainMissing()
  },
})

export const verifyDomain = endpoint({
  route: "POST /v1/projects/{projectId}/domains/{domainId}/verify",
  operationId: "verifyDomain",
  tag: "Sending domains",
  summary: "Run DNS verification now",
  description:
    "Looks up every record at the domain's own name servers and responds with the result: 200 also when the domain is not verified. A lookup that fails changes nothing. DMARC and the tracking host are checked but never required.",
  access: allow("domains:write"),
  bucket: buckets.domains,
  path: domainPath,
  answers: [200, Domain],
  problems: [projectMissing, domainMissing],

  async run(scope, { path }, io) {
    const watched = await checks.watchedDomain(scope, path.domainId, io.clock.now())
    if (!watched) throw domainMissing()
    // If another check finished in the meantime, its result is as fresh as ours and is kept.
    await checks.saveCheck(watched, await checkDomain(watched, io, true))
    const domain = await domains.findDomain(scope, path.domainId, io.clock.now())
    if (!domain) throw domainMissing()
    const target = encodeId("dom", path.domainId)
    const changes = { status: domain.status }
    await addAudit(scope, { action: "domain.check_requested", target, name: domain.domain, changes })
    return domain
  },
})

export const listDomainChecks = endpoint({
  route: "GET /v1/projects/{projectId}/domains/{domainId}/checks",
  operationId: "listDomainChecks",
  tag: "Sending domains",
  summary: "List domain's checks",
  description:
    "Checks that found a change, and checks that someone ran, newest first, each with what changed since the previous one. The last 200 are kept.",
  access: allow("domains:read"),
  bucket: buckets.domains,
  path: domainPath,
  query: pageQuery(),
  answers: [200, DomainCheckPage],
  problems: [projectMissing, domainMissing],
  additive: true,

  async run(scope, { path, query }) {
    const history = await checks.listChecks(scope, path.domainId, query)
    if (!history) throw domainMissing()
    return page(query, history.data, history.total)
  },
})

export const getZoneFile = endpoint({
  route: "GET /v1/projects/{projectId}/domains/{domainId}/zone-file",
  operationId: "getDomainZoneFile",
  tag: "Sending domains",
  summary: "Get domain's records as a zone file",
  description:
    "All records to publish in BIND's zone file format, for DNS providers that can import it. Long values are split as TXT records require.",
  access: allow("domains:read"),
  bucket: buckets.domains,
  path: domainPath,
  answers: [200, z.string(), "text/dns"],
  problems: [projectMissing, domainMissing],
  additive: true,

  async run(scope, { path }, io) {
    const found = await domains.publishedRecords(scope, path.domainId, io.clock.now())
    if (!found) throw domainMissing()
    const transport = regionSettings().profiles[found.region].transport
    const warning = waitsForInstallation({ ...found, transport }) ? cannotSendYet : null
    return new Reply(200, {
      stream: zoneFile(found.domain, found.records, io.clock.now(), warning),
      headers: {
        "Content-Type": "text/dns; charset=utf-8",
        "Content-Disposition": `attachment; filename="${found.domain}.zone"`,
      },
    })
  },
})

export const domainOperations = [
  listDomains,
  createDomain,
  getDomain,
  updateDomain,
  deleteDomain,
  verifyDomain,
  getZoneFile,
] as const

function invalid(detail: string) {
  return requestInvalid(`/domain: ${detail}`, { errors: [{ pointer: "/domain", detail }] })
}

type HostNames = { mailFromDomain: string; trackingDomain: string }

/** The names in their wire form, and why one of them is not possible beside the other or under this domain. */
function hostNameFaults(
  domain: HostNames & { name: string },
  change: { mailFromDomain?: string; trackingDomain?: string },
): { names: Partial<HostNames>; faults: FieldProblem[] } {
  const names: Partial<HostNames> = {}
  const faults: FieldProblem[] = []
  for (const field of ["mailFromDomain", "trackingDomain"] as const) {
    const text = change[field]
    if (text === undefined) continue
    const read = hostname(text)
    if (!read.ok) faults.push({ pointer: `/${field}`, detail: `This name ${read.reason}` })
    else if (!read.ascii.endsWith(`.${domain.name}`)) {
      faults.push({ pointer: `/${field}`, detail: `It must lie under ${domain.name}, such as send.${domain.name}.` })
    } else names[field] = read.ascii
  }
  const { mailFromDomain, trackingDomain } = { ...domain, ...names }
  if (mailFromDomain === trackingDomain) {
    const field = names.trackingDomain ? "trackingDomain" : "mailFromDomain"
    const detail = "One name cannot serve both: beside the tracking host's alias no other record counts."
    faults.push({ pointer: `/${field}`, detail })
  }
  return { names, faults }
}

const InstallationRecords = z
  .strictObject({
    records: z.array(
      z.strictObject({
        name: z.string(),
        type: z.enum(["TXT", "A"]),
        found: z.boolean().describe("Whether the public DNS has it now."),
      }),
    ),
  })
  .meta({ id: "InstallationRecordsResponse" })

export const getInstallationRecords = endpoint({
  route: "GET /v1/projects/{projectId}/domains/{domainId}/installation-records",
  operationId: "getInstallationRecords",
  tag: "Sending domains",
  summary: "Check the installation's records",
  description:
    "The two records of the installation that email from the domain's region relies on, the SPF record and the bounce host, and whether the public DNS has them now. The installation's operator publishes them.",
  access: allow("domains:read"),
  bucket: buckets.domains,
  path: { domainId: { prefix: "dom", missing: domainMissing } },
  answers: [200, InstallationRecords],
  problems: [projectMissing, domainMissing],
  additive: true,

  async run(scope, { path }) {
    const domain = await domains.findDomain(scope, path.domainId)
    if (!domain) throw domainMissing()
    return { records: await installationRecords(domain.region as Region, env(), worldDns()) }
  },
})

/** What public DNS returns. The sandbox answers for the names of an installation that cannot send yet. */
const worldDns = areaSettings((_, { dnsServers }): Dns => createDns({ servers: dnsServers }))

type InstallationRecord = { name: string; type: "TXT" | "A"; found: boolean }

/** The records of the installation itself without which mail of a region fails SPF or has a return path that leads nowhere, and whether they exist. */
export async function installationRecords(
  region: Region,
  service: ServiceNames,
  dns: Pick<Dns, "txt" | "addresses">,
): Promise<InstallationRecord[]> {
  const [spf, feedback] = [spfHost(region, service), feedbackHost(region, service)]
  // A name that is kept for tests is in no DNS.
  if (service.serviceDomain.endsWith(".test"))
    return [
      { name: spf, type: "TXT", found: false },
      { name: feedback, type: "A", found: false },
    ]
  const [texts, addresses] = await Promise.all([dns.txt(spf), dns.addresses(feedback)])
  const hasSpf = texts.kind === "found" && texts.values.some((text) => /^v=spf1(?: |$)/i.test(text))
  return [
    { name: spf, type: "TXT", found: hasSpf },
    { name: feedback, type: "A", found: addresses.kind === "found" && addresses.values.length > 0 },
  ]
}

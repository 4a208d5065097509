import { z } from "zod"
import type { Api } from "@/lib/api/registry"
import { deleteDomain, getDomain, listDomains, createDomain, verifyDomain } from "@/lib/domains/api"
import { call, type FieldNames, like, refused } from "@/lib/faces/face"
import { ResendAnswer, listed, listQuery } from "@/lib/faces/resend/list"
import { endpoint } from "@/lib/platform/http/endpoint"
import { publicIdTime } from "@/lib/platform/ids"

export const ResendDomain = z.strictObject({
  name: z.string().describe("`domain`."),
  region: z.string().optional().describe("`region`; by default that of the project."),
  custom_return_path: refused("change `mailFromDomain` of our own API."),
  capabilities: refused("a domain sends, and the installation decides what it receives."),
  open_tracking: refused("tracking is set for each email, or in the settings of the project."),
  click_tracking: refused("tracking is set for each email, or in the settings of the project."),
  tls: refused("TLS is set in the settings of the project."),
  tracking_subdomain: refused("change `trackingDomain` of our own API."),
})

const names: FieldNames = { domain: "name" }

type Domain = Api["GET /v1/projects/{projectId}/domains/{domainId}"]["answer"]
type Listed = Api["GET /v1/projects/{projectId}/domains"]["answer"]["data"][number]

const statuses: Record<string, string> = { degraded: "temporary_failure" }
const headOf = ({ id, domain, region, status, updatedAt }: Domain | Listed): ResendAnswer => ({
  ...{ id, name: domain, status: statuses[status] ?? status, region },
  // Our list has no such time, and the id does.
  created_at: publicIdTime(id)?.toISOString() ?? updatedAt,
})

type DnsRecord = { name: string; type: string; value: string; priority?: number; status?: string }

function recordOf(record: string, { name, type, value, priority, status = "pending" }: DnsRecord) {
  return { record, name, type, value, ttl: "Auto", status, ...(priority === undefined ? {} : { priority }) }
}

function shown(domain: Domain): ResendAnswer {
  const { dkim, mailFromMx, mailFromSpf, dmarcRecommended: dmarc, trackingCname: tracking } = domain.verificationRecords
  const records = [
    ...[recordOf("SPF", mailFromMx), recordOf("SPF", mailFromSpf)],
    ...dkim.map((record) => recordOf("DKIM", record)),
    ...(dmarc ? [recordOf("DMARC", dmarc)] : []),
    ...(tracking ? [recordOf("Tracking", tracking)] : []),
  ]
  return { object: "domain", ...headOf(domain), records }
}

const answers = [200, ResendAnswer] as const

export const resendDomains = [
  endpoint({
    ...like(createDomain),
    route: "POST /resend/domains",
    operationId: "resendCreateDomain",
    summary: "Register a domain",
    body: ResendDomain,
    answers,

    async run(scope, { body: { name, region = scope.project.region } }, io) {
      const { object: _object, ...domain } = shown(
        await call(scope, createDomain, { body: { domain: name, region }, names }, io),
      )
      return domain
    },
  }),
  endpoint({
    ...like(listDomains),
    route: "GET /resend/domains",
    operationId: "resendListDomains",
    summary: "List domains",
    strictQuery: true,
    query: listQuery,
    answers,
    run: (scope, { query }, io) => listed(query, (page) => call(scope, listDomains, { query: page }, io), headOf),
  }),
  endpoint({
    ...like(getDomain),
    route: "GET /resend/domains/{domainId}",
    operationId: "resendGetDomain",
    summary: "Get a domain",
    answers,
    run: async (scope, { path }, io) => shown(await call(scope, getDomain, { path }, io)),
  }),
  endpoint({
    ...like(verifyDomain),
    route: "POST /resend/domains/{domainId}/verify",
    operationId: "resendVerifyDomain",
    summary: "Check the DNS records of a domain",
    answers,

    async run(scope, { path }, io) {
      const { id } = await call(scope, verifyDomain, { path }, io)
      return { object: "domain", id }
    },
  }),
  endpoint({
    ...like(deleteDomain),
    route: "DELETE /resend/domains/{domainId}",
    operationId: "resendDeleteDomain",
    summary: "Delete a domain",
    answers,

    async run(scope, { path }, io) {
      await call(scope, deleteDomain, { path }, io)
      return { object: "domain", id: path.domainId, deleted: true }
    },
  }),
] as const

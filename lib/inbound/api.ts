import { addOwnOperatorAudit } from "@/lib/access/audit/data"
import { allow, allowOperator } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { reportRegions } from "@/lib/delivery/regions/data"
import { testRelay } from "@/lib/delivery/regions/relays"
import {
  findReturnRoutes,
  isProved,
  reportsOf,
  type ReturnRoute,
  startLoopTest,
} from "@/lib/delivery/regions/return-route-store"
import { emailMissing } from "@/lib/emails/schema"
import {
  findOperatorMail,
  findReturnedMails,
  findReturnedRaw,
  findOperatorMails as listMails,
  reportMailOf,
} from "@/lib/inbound/data"
import { readOperatorMail } from "@/lib/inbound/operator-mail"
import {
  NewLoopTest,
  NewRelayTest,
  OperatorMailDetail,
  OperatorMailPage,
  OperatorRegion,
  OperatorRegionList,
  RelayTest,
  ReturnedMailList,
} from "@/lib/inbound/schema"
import { endpoint, organizationEndpoint } from "@/lib/platform/http/endpoint"
import { messageReply } from "@/lib/platform/download"
import { page, pageQuery } from "@/lib/platform/http/paging"
import { problem } from "@/lib/platform/http/problem"
import { pathNotFound, serviceUnavailable } from "@/lib/platform/http/problems"
import { announceWork } from "@/lib/platform/jobs/notifications"
import { SlotsBusy } from "@/lib/platform/jobs/slots"
import { present } from "@/lib/platform/schema"
import { env } from "@/lib/platform/env/env"
import { regionNames } from "@/lib/regions/regions"
import { nextHopOf, regionSettings } from "@/lib/regions/settings"
import { connect } from "node:net"
import { buckets } from "@/lib/access/limits/data"
import { lastDmarcByMail } from "@/lib/domains/dmarc/data"
import { domainMissing } from "@/lib/domains/schema"
import { tlsReportRecord, type RecordStatus } from "@/lib/domains/records/records"
import { findReportToken, publishedRecords } from "@/lib/domains/data"
import { lastTlsByMail } from "@/lib/domains/tls-reports/data"
import { ReportMail } from "@/lib/inbound/report-schema"
import { withinMs } from "@/lib/platform/dns/dns"
import type { Io } from "@/lib/platform/io"

const returnedMailMissing = problem(
  "returned_mail.not_found",
  404,
  "Returned mail not found",
  "No such mail came back for the email. Returned mail is kept for 30 days.",
)

const operatorMailMissing = problem(
  "operator_mail.not_found",
  404,
  "Mail not found",
  "The operator's mailbox has no such mail. Mail is kept for 30 days.",
)

const shared = { tag: "Operator", access: allowOperator(), bucket: null, additive: true } as const
const onlyForOperators = "For who runs the installation; to everybody else nothing lives here."
const path = { mailId: { prefix: "inb", missing: operatorMailMissing } } as const

export const listOperatorMails = organizationEndpoint({
  ...shared,
  route: "GET /v1/operator/mails",
  operationId: "listOperatorMails",
  summary: "List the operator's mail",
  description: `What came to \`postmaster@\`, \`abuse@\` and \`fbl@\` of the service, newest first, such as complaints of people and the codes with which
feedback loops are enrolled; and what came back for a project's email and could be neither read nor matched. Mail is kept for 30 days. ${onlyForOperators}`,
  query: pageQuery(),
  answers: [200, OperatorMailPage],
  problems: [pathNotFound],

  async run(_, { query }) {
    const { data, total } = await listMails(query)
    return page(query, data, total)
  },
})

export const getOperatorMail = organizationEndpoint({
  ...shared,
  route: "GET /v1/operator/mails/{mailId}",
  operationId: "getOperatorMail",
  summary: "Get a mail of the operator",
  description: `One mail with its text, headers and the names of its attachments. ${onlyForOperators}`,
  path,
  answers: [200, OperatorMailDetail],
  problems: [operatorMailMissing, pathNotFound],

  async run(_, { path: { mailId } }) {
    const mail = await findOperatorMail(mailId)
    if (!mail) throw operatorMailMissing()
    const { raw, tls, ...rest } = mail
    return { ...rest, tls: present(tls), ...readOperatorMail(raw) }
  },
})

export const getOperatorMailRaw = organizationEndpoint({
  ...shared,
  route: "GET /v1/operator/mails/{mailId}/raw",
  operationId: "getOperatorMailRaw",
  summary: "Get a mail of the operator as it arrived",
  description: `The message (RFC 5322), byte for byte. ${onlyForOperators}`,
  path,
  answers: [200, undefined, "message/rfc822"],
  problems: [operatorMailMissing, pathNotFound],

  async run(_, { path: { mailId } }) {
    const mail = await findOperatorMail(mailId)
    if (!mail) throw operatorMailMissing()
    return messageReply(mail.raw)
  },
})

export const listOperatorRegions = organizationEndpoint({
  ...shared,
  route: "GET /v1/operator/regions",
  operationId: "listOperatorRegions",
  summary: "List the regions and their loop tests",
  description: `How email leaves each region, and whether mail comes back: the latest loop test, and what \`delivered=dsn\` comes to. ${onlyForOperators}`,
  answers: [200, OperatorRegionList],
  problems: [pathNotFound],

  async run() {
    return { data: await operatorRegions() }
  },
})

export const createLoopTest = organizationEndpoint({
  ...shared,
  route: "POST /v1/operator/loop-tests",
  operationId: "createLoopTest",
  summary: "Test the way back of a region",
  description: `Sends a mail through the region's relay to an address of the listener for returned mail, which is valid for 10 minutes, and takes the place
of a test that is under way. \`GET /v1/operator/regions\` shows what became of it. ${onlyForOperators}`,
  body: NewLoopTest,
  answers: [202, OperatorRegion],
  problems: [pathNotFound],

  async run(scope, { body: { region } }) {
    await startLoopTest(region)
    await addOwnOperatorAudit(scope, { action: "loop_test.started", changes: { region } })
    announceWork()
    const found = (await operatorRegions()).find((each) => each.region === region)
    if (!found) throw pathNotFound()
    return found
  },
})

export const createRelayTest = organizationEndpoint({
  ...shared,
  route: "POST /v1/operator/relay-tests",
  operationId: "createRelayTest",
  summary: "Test the relay of a region",
  description: `Connects to the region's relay, signs in, and sends one email of the service to an address, at most 45 s long. The answer has the
conversation, however it ended. The web server sends it itself, also while the region's email waits. ${onlyForOperators}`,
  body: NewRelayTest,
  answers: [200, RelayTest],
  problems: [pathNotFound],

  async run(scope, { body: { region, to } }) {
    await addOwnOperatorAudit(scope, { action: "relay_test.started", changes: { region, to } })
    const ended = await testRelay(region, to).catch((error: unknown) => {
      if (!(error instanceof SlotsBusy)) throw error
      throw serviceUnavailable("Another relay test is running.", { retryAfterSeconds: 5 })
    })
    const { outcome, phase, code, enhanced, text, remote, tls, security, conversation, startedAt, endedAt } = ended
    return {
      ...{ region, relay: nextHopOf(regionSettings().profiles[region]), from: `postmaster@${env().serviceDomain}`, to },
      ...{ outcome, phase: present(phase), code: present(code), enhanced: present(enhanced), text, remote },
      ...{ tls: present(tls), tlsLevel: present(security?.level), tlsPolicy: present(security?.policy) },
      ...{ conversation, startedAt, endedAt },
    }
  },
})

const ofEmail = {
  tag: "Projects",
  access: allow("emails:read"),
  bucket: null,
  additive: true,
} as const
const emailPath = { emailId: { prefix: "email", missing: emailMissing } } as const

export const listReturnedMails = endpoint({
  ...ofEmail,
  route: "GET /v1/projects/{projectId}/emails/{emailId}/returned-mails",
  operationId: "listReturnedMails",
  summary: "List the mail that came back for an email",
  description:
    "Bounces, delays, delivery reports, complaints and answers that came to the return path of the email, newest first, at most 100, with what was read from each and what it did. They are kept for 30 days.",
  path: emailPath,
  answers: [200, ReturnedMailList],
  problems: [emailMissing, projectMissing],

  async run(scope, { path: { emailId } }) {
    const data = await findReturnedMails(scope, emailId)
    if (!data) throw emailMissing()
    return { data }
  },
})

export const getReturnedMailRaw = endpoint({
  ...ofEmail,
  route: "GET /v1/projects/{projectId}/emails/{emailId}/returned-mails/{mailId}/raw",
  operationId: "getReturnedMailRaw",
  summary: "Get a mail that came back as it arrived",
  description: "The message (RFC 5322), byte for byte.",
  path: { ...emailPath, mailId: { prefix: "inb", missing: returnedMailMissing } },
  answers: [200, undefined, "message/rfc822"],
  problems: [emailMissing, returnedMailMissing, projectMissing],

  async run(scope, { path: { emailId, mailId } }) {
    const raw = await findReturnedRaw(scope, emailId, mailId)
    if (raw === null) throw emailMissing()
    if (!raw) throw returnedMailMissing()
    return messageReply(raw)
  },
})

export const returnedMailOperations = [listReturnedMails, getReturnedMailRaw] as const

export const operatorMailOperations = [
  listOperatorMails,
  getOperatorMail,
  getOperatorMailRaw,
  listOperatorRegions,
  createLoopTest,
  createRelayTest,
] as const

/** How email leaves each region, and what is known of its way back. */
async function operatorRegions(): Promise<OperatorRegion[]> {
  const [routes, reports] = await Promise.all([findReturnRoutes(), reportRegions()])
  return regionNames.map((region) => {
    const { since, fault, message } = reports.find((report) => report.region === region) ?? {}
    const profile = regionSettings().profiles[region]
    const route = routes.find((each) => each.region === region)
    return {
      region,
      relay: nextHopOf(profile),
      delivered: profile.delivered,
      reports: present(reportsOf(region, routes)),
      proved: isProved(region, routes),
      loopTest: route && loopTestOf(route),
      ...(since && message !== undefined && { outage: { since, fault, message } }),
    }
  })
}

function loopTestOf(route: ReturnRoute) {
  const { startedAt, code, diagnostic, sentAt, returnedAt, returnedFrom, returnedTls, endedAt, relay } = route
  return {
    startedAt,
    code: present(code),
    diagnostic: present(diagnostic),
    sentAt: present(sentAt),
    returnedAt: present(returnedAt),
    returnedFrom: present(returnedFrom),
    returnedTls: present(returnedTls),
    endedAt: present(endedAt),
    relay,
  }
}

const lookupMaxMs = 2_000

export const getReportMail = endpoint({
  route: "GET /v1/projects/{projectId}/domains/{domainId}/report-mail",
  operationId: "getReportMail",
  tag: "Sending domains",
  summary: "Get report mail",
  description:
    "Whether DMARC and TLS reports about the domain come by mail: the address for them, whether the DNS has it, the last report that came, and what came and was not taken.",
  access: allow("domains:read"),
  bucket: buckets.domains,
  path: { domainId: { prefix: "dom", missing: domainMissing } },
  answers: [200, ReportMail],
  problems: [projectMissing, domainMissing],
  additive: true,

  async run(scope, { path: { domainId } }, io) {
    const domain = await publishedRecords(scope, domainId, io.clock.now())
    const token = domain && (await findReportToken({ organizationId: scope.organization.id, domain: domain.domain }))
    if (!domain || !token) throw domainMissing()
    const address = `${token}@${env().reportDomain}`
    const tlsRecord = tlsReportRecord(domain.domain, address)
    const dmarcRecord = domain.records.find(({ key }) => key === "dmarc")
    const [mail, dmarc, tls, listener, state] = await Promise.all([
      reportMailOf(address),
      lastDmarcByMail(scope, domainId),
      lastTlsByMail(scope, domainId),
      listenerState(),
      tlsState(io, tlsRecord),
    ])
    return {
      address,
      listener,
      dmarc: {
        record: {
          name: dmarcRecord?.name ?? `_dmarc.${domain.domain}`,
          value: dmarcRecord?.value ?? "",
          state: dmarcRecord ? states[dmarcRecord.status] : "unknown",
        },
        last: dmarc,
      },
      tls: { record: { ...tlsRecord, state }, last: tls },
      ...mail,
    }
  },
})

type State = ReportMail["dmarc"]["record"]["state"]

const states: Record<RecordStatus, State> = { verified: "published", failed: "missing", pending: "missing" }

async function tlsState({ dns }: Io, { name, value }: { name: string; value: string }): Promise<State> {
  const answer = await withinMs(dns, lookupMaxMs).txt(name)
  if (answer.kind === "error") return "unknown"
  const address = value.slice(value.indexOf("mailto:")).toLowerCase()
  const isThere = answer.kind === "found" && answer.values.some((text) => text.toLowerCase().includes(address))
  return isThere ? "published" : "missing"
}

type ListenerState = "open" | "local" | "closed"

const keptMs = 10_000
const answersWithinMs = 500

let kept: { until: number; answer: Promise<ListenerState> } | undefined

/** Whether the process `mail` of this machine takes connections, and from where. Asked at most every 10 s. */
function listenerState(): Promise<ListenerState> {
  if (kept && kept.until > performance.now()) return kept.answer
  const { port, host } = regionSettings().inbound
  const answer = isOpen(port).then((open): ListenerState => (!open ? "closed" : host === undefined ? "open" : "local"))
  kept = { until: performance.now() + keptMs, answer }
  return answer
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: "127.0.0.1", timeout: answersWithinMs })
    const end = (open: boolean) => {
      socket.destroy()
      resolve(open)
    }
    socket.once("connect", () => end(true))
    socket.once("error", () => end(false))
    socket.once("timeout", () => end(false))
  })
}

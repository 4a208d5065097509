import { connect } from "node:net"
import { buckets } from "@/lib/access/limits/bucket-table"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { lastDmarcByMail } from "@/lib/domains/dmarc/data"
import { domainMissing } from "@/lib/domains/schema"
import { tlsReportRecord, type RecordStatus } from "@/lib/domains/records/records"
import { findReportToken, publishedRecords } from "@/lib/domains/data"
import { lastTlsByMail } from "@/lib/domains/tls-reports/data"
import { reportMailOf } from "@/lib/inbound/data"
import { ReportMail } from "@/lib/inbound/report-schema"
import { withinMs } from "@/lib/platform/dns/within"
import { env } from "@/lib/platform/env/env"
import { endpoint } from "@/lib/platform/http/endpoint"
import type { Io } from "@/lib/platform/io"
import { regionSettings } from "@/lib/regions/settings"

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

import type { Dns, DnsAnswer } from "@/lib/platform/dns/types"
import { idLabel } from "@/lib/domains/records/records"
import type { Region } from "@/lib/regions/regions"

type Wanted = {
  domain: string
  region: Region
  domainId: string
  /** MAIL FROM domains of other registrations at this installation, whoever holds them. */
  used: ReadonlySet<string>
}

/**
 * The first of `send`, `bounce`, `mrsend` and `mr-<region>` under the domain at which nothing is published and
 * that no other registration here uses; `send` is often taken by the service that somebody comes from.
 */
export async function chooseMailFromDomain(dns: Dns, wanted: Wanted): Promise<string> {
  const labels = ["send", "bounce", "mrsend", `mr-${wanted.region}`]
  const names = labels.map((label) => `${label}.${wanted.domain}`).filter((name) => !wanted.used.has(name))
  const probe = `mr-${idLabel(wanted.domainId)}-probe.${wanted.domain}`
  const [wildcard, ...published] = await Promise.all([probe, ...names].map((name) => publishedAt(dns, name)))
  // A wildcard answers at every name; a record of its own overrides it.
  const free = names.find((_, at) => {
    const here = published[at]
    return here !== undefined && here.certain && (here.print === nothing || here.print === wildcard?.print)
  })
  if (free) return free
  // If the DNS is unreachable, nothing is known to conflict with the first name.
  const unclear = names.find((_, at) => published[at]?.print === nothing)
  return unclear ?? `mr-${idLabel(wanted.domainId)}.${wanted.domain}`
}

const nothing = JSON.stringify([[], [], [], []])

async function publishedAt(dns: Dns, name: string): Promise<{ print: string; certain: boolean }> {
  const answers: DnsAnswer<unknown>[] = await Promise.all([
    dns.cname(name),
    dns.mx(name),
    dns.txt(name),
    dns.addresses(name),
  ])
  return {
    print: JSON.stringify(answers.map((answer) => (answer.kind === "found" ? answer.values.map(text).sort() : []))),
    certain: answers.every((answer) => answer.kind !== "error"),
  }
}

function text(value: unknown): string {
  return JSON.stringify(value)
}

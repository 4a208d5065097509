import { setTimeout as wait } from "node:timers/promises"
import type { Dns } from "@/lib/platform/dns/dns"
import { requestInvalid } from "@/lib/platform/http/problems"
import { outboundGuard } from "@/lib/platform/outbound/guard"
import { addressFault, isLocal, judgeUrl, type Guard, type Target } from "@/lib/platform/outbound/url"

/** Nobody waits longer for name servers: every delivery judges the addresses again, on its own connection. */
const lookupMs = 2_000

/** The URL of a webhook, parsed. @throws the problem with its pointer when no request may be sent there */
export async function checkedUrl(text: string, dns: Dns, guard = outboundGuard()): Promise<URL> {
  const verdict = judgeUrl(text, guard)
  if (!verdict.ok) throw refused(verdict.reason)
  const fault = await Promise.race([faultOfName(verdict, dns, guard), wait(lookupMs, null, { ref: false })])
  if (fault) throw refused(fault)
  return verdict.url
}

/** A name that cannot be resolved yet is taken: the DNS of a receiver may be set up after its webhook. */
async function faultOfName({ url, host }: Target, dns: Dns, guard: Guard): Promise<string | null> {
  if ("address" in host || isLocal(host.name)) return null
  const answer = await dns.addresses(host.name)
  for (const address of answer.kind === "found" ? answer.values : []) {
    const fault = addressFault(guard, address, url.protocol)
    if (fault) return `The URL must not name ${host.name}, which resolves to ${address}: ${fault}`
  }
  return null
}

function refused(reason: string) {
  return requestInvalid(`/url: ${reason}`, { errors: [{ pointer: "/url", detail: reason }] })
}

import { setTimeout as wait } from "node:timers/promises"
import type { Dns } from "@/lib/platform/dns/dns"
import { requestInvalid } from "@/lib/platform/http/problems"
import { addressRefusals, type TargetFault } from "@/lib/platform/outbound/target-faults"
import {
  addressFault,
  isLocal,
  judgeUrl,
  type OutboundGuard,
  outboundGuard,
  type Target,
} from "@/lib/platform/outbound/url"

/** Nobody waits longer for name servers: every request judges the addresses again, on its own connection. */
const lookupMs = 2_000

/** The `url` of a body to which requests will be sent, parsed. @throws the problem with its pointer when none may be */
export async function checkedUrl(text: string, dns: Dns, guard = outboundGuard()): Promise<URL> {
  const verdict = judgeUrl(text, guard)
  if (!verdict.ok) throw refused([verdict.reason, wayOut(verdict.fault)].filter(Boolean).join(" "))
  const fault = await Promise.race([faultOfName(verdict, dns, guard), wait(lookupMs, null, { ref: false })])
  if (fault) throw refused(fault)
  return verdict.url
}

/** A name that cannot be resolved yet is taken: the DNS of a receiver may be set up later. */
async function faultOfName({ url, host }: Target, dns: Dns, guard: OutboundGuard): Promise<string | null> {
  if ("address" in host || isLocal(host.name)) return null
  const answer = await dns.addresses(host.name)
  for (const address of answer.kind === "found" ? answer.values : []) {
    const why = addressFault(guard, address, url.protocol)
    if (why) return `The URL must not name ${host.name}, which resolves to ${address}: ${addressRefusals[why]}`
  }
  return null
}

/** Whoever tries the product on their own machine has no public address to give. */
function wayOut({ code }: TargetFault): string {
  return code === "this_machine" || code === "private_name" || code === "address"
    ? "The operator of this installation can allow networks of its own with ALLOW_PRIVATE_WEBHOOKS, such as 127.0.0.0/8."
    : ""
}

function refused(reason: string) {
  return requestInvalid(`/url: ${reason}`, { errors: [{ pointer: "/url", detail: reason }] })
}

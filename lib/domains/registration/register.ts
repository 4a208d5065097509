import { withinMs } from "@/lib/platform/dns/within"
import { seal } from "@/lib/platform/crypto"
import { env } from "@/lib/platform/env/env"
import { newId } from "@/lib/platform/ids"
import type { Io } from "@/lib/platform/io"
import type { Scope } from "@/lib/platform/http/scope"
import { discoverDmarc, publishedPolicy, type DmarcDiscovery } from "@/lib/domains/check/dmarc"
import { presentable } from "@/lib/domains/check/findings"
import { findHosting } from "@/lib/domains/diagnosis/hosting"
import { generateDkimKey, keyPurpose, type DkimKeyPair } from "@/lib/domains/rotation/keys"
import { chooseMailFromDomain } from "@/lib/domains/records/mail-from"
import { selector, trackingDomain } from "@/lib/domains/records/records"
import type { RecordState } from "@/lib/domains/records/watched"
import { reportToken } from "@/lib/domains/report-token-store"
import { recheckDelaySeconds } from "@/lib/domains/rules"
import * as domains from "@/lib/domains/registration/registration-store"
import type { Region } from "@/lib/regions/regions"

/** Two projects that register one domain in the same second may choose the same MAIL FROM domain: one chooses again. */
const attemptsMax = 3

const lookupsMaxMs = 5000

/**
 * Makes the keys, chooses the names, finds the policy that applies, and registers the domain. Takes the time of a few
 * DNS lookups: at most five seconds when name servers are silent.
 */
export async function register(scope: Scope, wanted: { name: string; region: Region }, io: Io): Promise<domains.Added> {
  const inUse = await domains.namesInUse(scope, wanted.name)
  if (inUse.here) return "taken"
  const id = newId()
  const dns = withinMs(io.dns, lookupsMaxMs)
  const [a, b, discovery, , hosting] = await Promise.all([
    generateDkimKey(),
    generateDkimKey(),
    discoverDmarc(dns, wanted.name),
    reportToken({ organizationId: scope.organization.id, domain: wanted.name }, io.random.bytes(10).toString("hex")),
    findHosting(dns, wanted.name),
  ])
  const service = env()
  const used = inUse.mailFrom

  for (let attempt = 1; ; attempt++) {
    const mailFromDomain = await chooseMailFromDomain(dns, { ...wanted, domain: wanted.name, domainId: id, used })
    const links = trackingDomain(wanted.name)
    const added = await domains.addDomain(scope, {
      id,
      ...wanted,
      mailFromDomain,
      trackingDomain: links,
      dmarcStatus: dmarcStatuses[discovery.kind],
      records: [policyState(discovery)],
      service: { serviceDomain: service.serviceDomain, reportDomain: service.reportDomain },
      hosting,
      keys: [keyRow(id, "a", a), keyRow(id, "b", b)],
      firstCheckSeconds: recheckDelaySeconds(0),
    })
    if (added !== "mail-from-taken" || attempt === attemptsMax) return added
    used.add(mailFromDomain)
  }
}

/** What was found at the policy's name: known before the first check, and nothing may be added beside it. */
function policyState(discovery: DmarcDiscovery): RecordState {
  const policy = publishedPolicy(discovery) ?? { kind: "none" }
  const texts = policy.kind === "none" ? [] : policy.texts
  const { found } = presentable({ outcome: "invalid", found: texts })
  return { key: "dmarc", status: "pending", found, policy }
}

const dmarcStatuses = {
  policy: "verified",
  none: "not_configured",
  unknown: "not_configured",
  several: "failed",
  invalid: "failed",
} as const

function keyRow(domainId: string, letter: "a" | "b", pair: DkimKeyPair) {
  const id = newId()
  return {
    id,
    selector: selector(domainId, letter),
    publicKey: pair.publicKeyBase64,
    sealedPrivateKey: seal(pair.privateKeyPem, keyPurpose(id)),
    state: letter === "a" ? ("active" as const) : ("standby" as const),
  }
}

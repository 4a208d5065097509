import { withinMs } from "@/lib/platform/dns/within"
import { seal } from "@/lib/platform/crypto"
import { env } from "@/lib/platform/env/env"
import type { Region } from "@/lib/platform/env/settings"
import { newId } from "@/lib/platform/ids"
import type { Io } from "@/lib/platform/io"
import type { Scope } from "@/lib/platform/http/scope"
import { discoverDmarc, recommendedDmarc, type DmarcDiscovery } from "@/lib/domains/check/dmarc"
import { presentable } from "@/lib/domains/check/findings"
import { findHosting } from "@/lib/domains/diagnosis/hosting"
import { generateDkimKey, keyPurpose, type DkimKeyPair } from "@/lib/domains/rotation/keys"
import { chooseMailFromDomain } from "@/lib/domains/records/mail-from"
import { recordsToPublish, reportUri, selector, trackingDomain } from "@/lib/domains/records/records"
import { registrableDomain } from "@/lib/addresses/registrable"
import { reportToken } from "@/lib/domains/report-token-store"
import { recheckDelaySeconds } from "@/lib/domains/rules"
import * as domains from "@/lib/domains/registration/registration-store"

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
  const [a, b, discovery, token, hosting] = await Promise.all([
    generateDkimKey(),
    generateDkimKey(),
    discoverDmarc(dns, wanted.name),
    reportToken({ organizationId: scope.organization.id, domain: wanted.name }, io.random.bytes(10).toString("hex")),
    findHosting(dns, wanted.name),
  ])
  const service = env()
  const organizational = registrableDomain(wanted.name) ?? wanted.name
  const dmarc = recommendedDmarc(discovery, organizational, reportUri(token, service))
  const used = inUse.mailFrom

  for (let attempt = 1; ; attempt++) {
    const mailFromDomain = await chooseMailFromDomain(dns, { ...wanted, domain: wanted.name, domainId: id, used })
    const links = trackingDomain(wanted.name)
    const records = recordsToPublish(
      {
        domainId: id,
        domain: wanted.name,
        region: wanted.region,
        mailFromDomain,
        trackingDomain: links,
        dkim: { a: a.publicKeyBase64, b: b.publicKeyBase64 },
        dmarc,
      },
      service,
    )
    const added = await domains.addDomain(scope, {
      id,
      ...wanted,
      mailFromDomain,
      trackingDomain: links,
      dmarcStatus: dmarcStatuses[discovery.kind],
      records: records.map((record) => ({
        ...record,
        status: "pending",
        found: record.key === "dmarc" ? policiesAt(discovery) : [],
      })),
      hosting,
      keys: [keyRow(id, "a", a), keyRow(id, "b", b)],
      firstCheckSeconds: recheckDelaySeconds(0),
    })
    if (added !== "mail-from-taken" || attempt === attemptsMax) return added
    used.add(mailFromDomain)
  }
}

/** What was found at the policy's name: known before the first check, and nothing may be added beside it. */
function policiesAt(discovery: DmarcDiscovery): string[] {
  if (discovery.kind === "none" || discovery.kind === "unknown") return []
  return presentable({ outcome: "invalid", found: discovery.kind === "policy" ? [discovery.record] : discovery.found })
    .found
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

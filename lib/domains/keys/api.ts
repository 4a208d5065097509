import { buckets } from "@/lib/access/limits/data"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { causeWords } from "@/lib/explanation/record-words"
import { checkMaxMs, expectationOf, type WatchedDomain } from "@/lib/domains/check/check"
import { compareOne } from "@/lib/domains/check/compare"
import * as checks from "@/lib/domains/check/data"
import * as domains from "@/lib/domains/data"
import { rotateKeys } from "@/lib/domains/keys/data"
import { generateDkimKey, keyPurpose } from "@/lib/domains/keys/dkim-keys"
import { Domain, domainMissing, standbyNotVerified } from "@/lib/domains/schema"
import { seal } from "@/lib/platform/crypto"
import { withinMs } from "@/lib/platform/dns/dns"
import { endpoint } from "@/lib/platform/http/endpoint"
import { newId } from "@/lib/platform/ids"
import type { Io } from "@/lib/platform/io"

export const rotateDkim = endpoint({
  route: "POST /v1/projects/{projectId}/domains/{domainId}/rotate-dkim",
  operationId: "rotateDkim",
  tag: "Sending domains",
  summary: "Rotate domain's DKIM key",
  description:
    "The standby key signs from now on; it must be published, otherwise the response is 409. The previous private key is destroyed. Leave its record in the DNS for at least 7 days, so that email in transit can still be verified, then replace the value with the new one shown. Sending does not wait for that. Email that is already composed keeps its signature.",
  access: allow("domains:write"),
  bucket: buckets.domains,
  path: { domainId: { prefix: "dom", missing: domainMissing } },
  answers: [200, Domain],
  problems: [projectMissing, domainMissing, standbyNotVerified],
  additive: true,

  async run(scope, { path }, io) {
    const watched = await checks.watchedDomain(scope, path.domainId, io.clock.now())
    if (!watched) throw domainMissing()
    await mustBePublished(watched, io)
    const id = newId()
    const { privateKeyPem, publicKeyBase64 } = await generateDkimKey()
    const fresh = { id, publicKey: publicKeyBase64, sealedPrivateKey: seal(privateKeyPem, keyPurpose(id)) }
    const rotated = await rotateKeys(scope, path.domainId, fresh, io.clock.now())
    if (rotated === "standby-not-verified") throw standbyNotVerified()
    const domain = await domains.findDomain(scope, path.domainId, io.clock.now())
    if (rotated === "missing" || !domain) throw domainMissing()
    return domain
  },
})

/**
 * The standby key as the last check saw it, and as the DNS answers now: mail signed with a key that is no longer
 * published would fail everywhere. Name servers that do not answer change nothing.
 */
async function mustBePublished(domain: WatchedDomain, io: Io): Promise<void> {
  const key = domain.keys.find(({ active }) => !active)?.record
  const record = domain.records.find((each) => each.key === key)
  if (!key || !record || record.status !== "verified") throw standbyNotVerified(waiting(record?.name))
  const finding = await compareOne(withinMs(io.dns, checkMaxMs), expectationOf(domain), key)
  if (finding.outcome === "valid" || finding.outcome === "unknown") return
  throw standbyNotVerified(
    `${waiting(record.name)} ${finding.likelyCause ? causeWords(finding.likelyCause).message : "It is no longer found since the last check."}`,
  )
}

function waiting(name = "its selector"): string {
  return `The standby key is not published at ${name} yet, so it cannot sign.`
}

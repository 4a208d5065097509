import { createHash, X509Certificate } from "node:crypto"
import { expect, it } from "vitest"
import { createAuthority } from "@/e2e/support/delivery/authority"
import { judgeChain } from "@/lib/delivery/direct/tls-policies"

const authority = createAuthority()
const chain = chainIn(authority.issue(["mx.example"]).cert)
const anchor = new X509Certificate(authority.certificate)
const records = [{ usage: 2, selector: 0, matchingType: 1, certificate: sha256(anchor.raw) }]
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000)

it("T103: a certificate below the named authority is none once it has expired, or is of another name", () => {
  expect(judgeChain(chain, records, ["mx.example"], inDays(0))).toBeNull()
  expect(judgeChain(chain, records, ["mx.example"], inDays(3))).toMatch(/is not valid below the authority/)
  expect(judgeChain(chain, records, ["other.example"], inDays(0))).toMatch(/is not for other\.example/)
})

it("T103: an authority that the server only shows, and that has not issued its certificate, proves nothing", () => {
  const [own] = chainIn(createAuthority().issue(["mx.example"]).cert)
  expect(judgeChain(own ? [own, anchor] : [], records, ["mx.example"], inDays(0))).toMatch(
    /is not valid below the authority/,
  )
})

function chainIn(pem: string): X509Certificate[] {
  return (pem.match(/-----BEGIN[^]+?-----END CERTIFICATE-----/g) ?? []).map((one) => new X509Certificate(one))
}

function sha256(bytes: Buffer): Buffer {
  return createHash("sha256").update(bytes).digest()
}

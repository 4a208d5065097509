import { expect, it } from "vitest"
import { tlsResultOf } from "@/lib/delivery/direct/tls-results"

const session = { phase: "final", code: 250, text: "2.0.0 Ok", tls: "TLSv1.3" } as const
const usual = { isFallback: false, isTesting: false }

it("says nothing of a session that ended before encryption was due", () => {
  const ends = (["connect", "greeting", "ehlo"] as const).map((phase) => tlsResultOf({ phase, text: "" }, usual))
  expect(ends).toEqual([null, null, null])
})

it("tells a server that has no encryption from one whose encryption fails", () => {
  const plain = { phase: "final", code: 250, text: "2.0.0 Ok" } as const
  expect(tlsResultOf(session, usual)).toBe("success")
  expect(tlsResultOf(plain, usual)).toBe("starttls-not-supported")
  expect(tlsResultOf(plain, { ...usual, isFallback: true })).toBe("validation-failure")
  expect(tlsResultOf({ phase: "starttls", code: 454, text: "4.7.0 not now" }, usual)).toBe("starttls-not-supported")
})

it.each([
  ["Hostname/IP does not match certificate's altnames: Host: mx.a.example", "certificate-host-mismatch"],
  ["certificate has expired", "certificate-expired"],
  ["self-signed certificate", "certificate-not-trusted"],
  ["unable to verify the first certificate", "certificate-not-trusted"],
  ["The server's certificate does not match its TLSA records (DANE).", "validation-failure"],
  ["The server does not offer STARTTLS, which is required here.", "starttls-not-supported"],
  ["read ECONNRESET", "validation-failure"],
])("names a handshake that failed with “%s”", (text, result) => {
  expect(tlsResultOf({ phase: "starttls", text }, usual)).toBe(result)
})

it.each([
  ["ERR_TLS_CERT_ALTNAME_INVALID", "certificate-host-mismatch"],
  ["CERT_HAS_EXPIRED", "certificate-expired"],
  ["DEPTH_ZERO_SELF_SIGNED_CERT", "certificate-not-trusted"],
])("judges a certificate that a policy only tests, and no other: %s", (certificateFault, result) => {
  expect(tlsResultOf({ ...session, certificateFault }, { ...usual, isTesting: true })).toBe(result)
  expect(tlsResultOf({ ...session, certificateFault }, usual)).toBe("success")
})

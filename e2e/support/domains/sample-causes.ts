import type { Cause, LikelyCauseCode } from "@/lib/explanation/record-words"

const name = "send.acme.com"
const targets = ["a.vendor.com", "b.vendor.com"]
const host = "send"

/** Every form that the facts of a code have. */
const facts: { [C in LikelyCauseCode]: Extract<Cause, { code: C }>["facts"][] } = {
  "doubled-zone": [
    { foundAt: `${name}.acme.com`, host },
    { in: "target", value: "track.mailroom.test" },
    { in: "exchange", value: "feedback.mailroom.test" },
  ],
  "wrong-host": [{ foundAt: "acme.com", name, host }],
  "several-records": [
    { kind: "DKIM", count: 2, name },
    { kind: "SPF", count: 2, name },
    { kind: "BIMI", count: 2, name },
  ],
  quoted: [{}],
  "escaped-semicolon": [{}],
  "testing-flag": [{}],
  "dkim-hash": [{ allowed: "sha1" }],
  "dkim-service": [{ allowed: "tlsrpt" }],
  "dkim-version-order": [{}],
  "revoked-key": [{}],
  "other-key": [{}],
  "retired-key": [{ keepUntil: "2026-12-01T00:00:00.000Z" }],
  truncated: [{}, { characters: 200, of: 392 }],
  "split-records": [{}],
  unreadable: [{}],
  "other-value": [
    { is: "no-dkim-key" },
    { is: "key-type", type: "ed25519" },
    { is: "no-bimi", name },
    { is: "unreadable-bimi", name },
    { is: "other-certificate", name },
    { is: "other-logo", name },
  ],
  "cname-in-the-way": [{ name, targets, host }],
  wildcard: [{ name }],
  "names-changed": [{}],
  "alias-loop": [{ name }],
  proxied: [{ name, host }],
  "other-target": [{ name }],
  "extra-mx": [{ name }],
  "other-mx": [{ name }],
  "spf-lookups": [{}],
  "spf-voids": [{}],
  "spf-syntax": [{}, { term: "ip4:1.2.3" }, { term: "ip4:1.2.3", includedFrom: "crm.acme.com" }],
  "spf-not-passing": [{ include: "spf.mailroom.test" }],
  "dmarc-several": [
    { count: 2, name, policyKept: true },
    { count: 2, name, policyKept: false },
  ],
  "dmarc-invalid": [{ name }],
  "dmarc-policy-unreadable": [{ name }],
  "dmarc-vendor-hosted": [{ name, targets }],
  "dmarc-rua-missing": [{}],
  "dmarc-not-authorized": [{ reportDomain: "dmarc.mailroom.test" }],
}
/** Every cause in every form of its facts. */
export const sampleCauses = Object.entries(facts).flatMap(([code, forms]) =>
  forms.map((each) => ({ code, facts: each }) as Cause),
)

import type { Domain } from "@/components/domains/queries"

/** A domain that was just added; `over` replaces what a test is about. */
export function domainExample(over: Partial<Domain> = {}): Domain {
  const optional = true
  return {
    id: "dom_01k9",
    projectId: "proj_01k9",
    domain: "acme.com",
    region: "eu-west-1",
    status: "pending",
    dkimStatus: "pending",
    spfStatus: "pending",
    dmarcStatus: "not_configured",
    mailFromDomain: "send.acme.com",
    mailFromStatus: "pending",
    bimiStatus: "not_configured",
    createdAt: "2026-11-21T14:00:00.000Z",
    updatedAt: "2026-11-21T14:00:00.000Z",
    transport: "smtp",
    zone: "acme.com",
    checks: [],
    verificationRecords: {
      dkim: [
        { name: "mrk3f9qaa._domainkey.acme.com", type: "TXT", value: "v=DKIM1; k=rsa; p=MIIA", status: "pending" },
        { name: "mrk3f9qab._domainkey.acme.com", type: "TXT", value: "v=DKIM1; k=rsa; p=MIIB", status: "pending" },
      ],
      mailFromMx: {
        name: "send.acme.com",
        type: "MX",
        value: "feedback.eu-west-1.mailroom.test",
        priority: 10,
        status: "pending",
      },
      mailFromSpf: {
        name: "send.acme.com",
        type: "TXT",
        value: "v=spf1 include:spf.eu-west-1.mailroom.test ~all",
        status: "pending",
      },
      dmarcRecommended: {
        name: "_dmarc.acme.com",
        type: "TXT",
        value: "v=DMARC1; p=none; rua=mailto:8fk2q@dmarc.mailroom.test",
        optional,
        status: "pending",
      },
      trackingCname: {
        name: "links.acme.com",
        type: "CNAME",
        value: "track.mailroom.test",
        optional,
        status: "pending",
      },
    },
    ...over,
  }
}

type Records = Domain["verificationRecords"]

/** The same with some records changed: `withRecords(domain, { mailFromMx: { status: "verified" } })`. */
export function withRecords(
  domain: Domain,
  changes: { [K in keyof Records]?: Partial<Records["mailFromMx"]> },
): Domain {
  const records = { ...domain.verificationRecords }
  for (const [name, change] of Object.entries(changes)) {
    const key = name as keyof Records
    const old = records[key]
    Object.assign(records, {
      [key]: Array.isArray(old) ? old.map((record) => ({ ...record, ...change })) : { ...old, ...change },
    })
  }
  return { ...domain, verificationRecords: records }
}

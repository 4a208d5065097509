import { z } from "zod"
import { domainMax } from "@/lib/addresses/address"
import { hostname } from "@/lib/addresses/hostname"
import { pageOf } from "@/lib/platform/http/paging"
import { problem } from "@/lib/platform/http/problem"
import { id, int32, timestamp } from "@/lib/platform/schema"
import { regionNames } from "@/lib/regions/regions"

export const domainMissing = problem("domain.not_found", 404, "Domain not found", "Domain not found in this project.")
export const domainTaken = problem(
  "domain.already_registered",
  409,
  "Domain already registered",
  "This project has already registered the domain, in this or another region. A project can register a domain only once: to use another region, delete it first.",
)
export const regionNotEntitled = problem(
  "domain.region_not_entitled",
  403,
  "Region not entitled",
  "Domains outside the project's home region need the organization's multi-region entitlement. Ask the operator to grant it with `npm run admin -- entitle`.",
)
export const alreadyVerified = problem(
  "domain.already_verified",
  409,
  "Domain already verified",
  "The domain has been verified, so sent email uses its host names and they can no longer change. To choose others, delete the domain and register it again.",
)
export const mailFromTaken = problem(
  "domain.mail_from_taken",
  409,
  "MAIL FROM domain taken",
  "Another registration already uses this MAIL FROM domain. Choose another name.",
)
export const standbyNotVerified = problem(
  "domain.standby_not_verified",
  409,
  "Standby key not published",
  "The standby key is not published yet, so it cannot sign. Publish the second DKIM record, wait until it is verified, then rotate.",
)

const recordStatus = z.string().describe("`pending`, `verified` or `failed`.")
const componentStatus = z.string().describe("`pending`, `verified`, `failed` or `not_configured`.")
const domainStatus = z
  .string()
  .describe("`pending`, `verified`, `degraded` (records are missing; can still send for 72 hours) or `failed`.")

export const LikelyCause = z
  .strictObject({
    code: z.string(),
    message: z.string().describe("What is wrong, in a sentence."),
    fix: z.string().describe("What to do about it."),
    foundAt: z.string().optional().describe("The name at which the record was found instead."),
  })
  .meta({ id: "DnsLikelyCause" })

/** Additive: what is at the name now. */
const seen = {
  found: z.array(z.string()).optional().describe("What the last check found."),
  likelyCause: LikelyCause.optional().describe("Why the record is not valid, if we recognise the cause."),
}

export const DkimRecord = z
  .strictObject({
    name: z.string(),
    type: z.string(),
    value: z.string(),
    status: recordStatus.optional(),
    ...seen,
    retired: z
      .strictObject({ value: z.string(), keepUntil: timestamp })
      .optional()
      .describe("The previous value under this selector, and how long it must stay in the DNS."),
  })
  .meta({ id: "DkimRecordResponse" })

export const DnsRecord = z
  .strictObject({
    name: z.string().describe("Absolute, without the final dot."),
    type: z.string(),
    value: z.string(),
    priority: int32.optional(),
    optional: z.boolean().optional().describe("`true`: recommended, not needed for verification."),
    status: recordStatus.optional(),
    oldValue: z
      .string()
      .optional()
      .describe(
        "Additive: the value that the domain was verified with, before the installation's name or its region's transport changed. It is found and counts until `oldRecordsCountUntil`.",
      ),
    ...seen,
  })
  .meta({ id: "DnsRecordResponse" })

const { value: _value, ...withoutValue } = DnsRecord.shape

/** A record for which nothing can be recommended. */
export const UnreadableRecord = z.strictObject(withoutValue).meta({ id: "DnsUnreadableRecord" })

export const VerificationRecords = z
  .strictObject({
    dkim: z.array(DkimRecord).describe("The key in use, and a standby for the next rotation."),
    mailFromMx: DnsRecord,
    mailFromSpf: DnsRecord,
    dmarcRecommended: DnsRecord.optional().describe(
      "The policy that is published, in valid syntax, with our report address added; `p=none` where there is none.",
    ),
    dmarcUnreadable: UnreadableRecord.optional().describe(
      "Additive, instead of `dmarcRecommended`: the published record is not valid and the policy that it asks for cannot be read, so none is recommended.",
    ),
    bimi: DnsRecord.optional(),
    trackingCname: DnsRecord.optional(),
  })
  .meta({ id: "VerificationRecordsResponse" })

export const DomainCheck = z
  .strictObject({
    at: timestamp,
    status: domainStatus,
    changes: z
      .array(
        z.strictObject({
          record: z
            .string()
            .describe("`dkim-a`, `dkim-b`, `mail-from-mx`, `mail-from-spf`, `dmarc`, `tracking` or `bimi`."),
          status: recordStatus,
          likelyCause: LikelyCause.optional(),
        }),
      )
      .describe("What changed since the previous check."),
  })
  .meta({ id: "DomainCheck" })

export const DnsProvider = z
  .strictObject({
    name: z.string(),
    dnsPageUrl: z.string().describe("Where customers edit the zone."),
    note: z.string().optional().describe("How its form differs from most others."),
  })
  .meta({ id: "DnsProvider" })

export const Domain = z
  .strictObject({
    id: id("dom"),
    projectId: id("proj"),
    domain: z.string(),
    region: z.string(),
    status: domainStatus,
    dkimStatus: componentStatus,
    spfStatus: componentStatus.describe("Status of the SPF record at `mailFromDomain`."),
    dmarcStatus: componentStatus.describe(
      "`verified`: one valid policy applies, either the domain's own or an inherited one. Never required for sending.",
    ),
    mailFromDomain: z.string().describe("The return path's domain, under `domain`."),
    mailFromStatus: componentStatus.describe("Status of both records at `mailFromDomain`."),
    trackingStatus: componentStatus
      .optional()
      .describe("Additive: `verified` once the host serves links, as in the list."),
    bimiStatus: componentStatus,
    bimiLogoUrl: z.string().optional(),
    createdAt: timestamp,
    updatedAt: timestamp,
    verifiedAt: timestamp.optional(),
    stopsSendingAt: timestamp
      .optional()
      .describe("Additive, only while `degraded`: when the domain fails if its records are still missing."),
    oldRecordsCountUntil: timestamp
      .optional()
      .describe(
        "Additive: the installation's name or the region's transport has changed since the domain was verified; until then records with their `oldValue` keep it verified.",
      ),
    verificationRecords: VerificationRecords,
    transport: z
      .string()
      .optional()
      .describe(
        "The region's transport: `sandbox` (email is captured and never leaves the machine), `smtp` (a relay), `direct` (the recipients' own servers) or `ses` (Amazon SES).",
      ),
    checkedAt: timestamp.optional().describe("Time of the last check."),
    nextCheckAt: timestamp.optional().describe("Time of the next scheduled check."),
    zone: z
      .string()
      .optional()
      .describe("The DNS zone that contains the records. DNS providers' forms take hosts relative to it."),
    nameServers: z.array(z.string()).optional().describe("The zone's name servers, once known."),
    provider: DnsProvider.optional().describe("The DNS provider of the zone, recognised by its name servers."),
    checks: z
      .array(DomainCheck)
      .optional()
      .describe("The latest checks that found a change or that someone ran, newest first."),
  })
  .meta({ id: "DomainResponse" })

export type Domain = z.output<typeof Domain>

export const DomainCheckPage = pageOf(DomainCheck)

export const DomainListItem = z
  .strictObject({
    id: id("dom"),
    domain: z.string(),
    region: z.string(),
    status: domainStatus,
    dkimStatus: componentStatus,
    trackingStatus: componentStatus,
    bimiStatus: componentStatus,
    updatedAt: timestamp,
    mailFromStatus: componentStatus.optional(),
    dmarcStatus: componentStatus.optional(),
    transport: z.string().optional().describe("Additive: the region's transport, as in the domain's detail."),
  })
  .meta({ id: "DomainListItemResponse" })

export type DomainListItem = z.output<typeof DomainListItem>

export const DomainPage = pageOf(DomainListItem)

/** What a form can check by itself; public suffixes and the service's own names are refused by the operation. */
export const domainName = z
  .string()
  .superRefine((text, context) => {
    const read = hostname(text)
    if (!read.ok) context.addIssue({ code: "custom", message: `This name ${read.reason}` })
  })
  .meta({ minLength: 1, maxLength: domainMax })

export const DomainChange = z
  .strictObject({
    mailFromDomain: domainName.optional().describe("Under the domain. No other records may exist at this name."),
    trackingDomain: domainName.optional().describe("Under the domain."),
  })
  .meta({ id: "UpdateDomainRequest" })

export const NewDomain = z
  .strictObject({
    domain: domainName.describe("Host name without scheme or path; normalised to lower case and A-labels."),
    region: z.enum(regionNames),
  })
  .meta({ id: "RegisterDomainRequest" })

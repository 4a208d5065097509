import type { CallAnswer } from "@/components/data/route"

/** As the API answers it. */
export type Domain = CallAnswer<"GET /v1/projects/{projectId}/domains/{domainId}">

export type DomainPage = CallAnswer<"GET /v1/projects/{projectId}/domains">

export type DomainItem = DomainPage["data"][number]

export type DnsRecord = Domain["verificationRecords"]["mailFromMx"]

export type DomainCheck = NonNullable<Domain["checks"]>[number]

export type Diagnosis = CallAnswer<"GET /v1/projects/{projectId}/domains/{domainId}/diagnosis">

/** The value that a rotation took out of use, and how long it has to stay in the DNS. */
export type Retired = NonNullable<Domain["verificationRecords"]["dkim"][number]["retired"]>

export type Disposition = "none" | "quarantine" | "reject"

/** Messages of one source that a receiver judged alike. `dkim` and `spf`: passed and aligned with the domain in From. */
export type ReportRow = {
  address: string
  messages: number
  disposition: Disposition
  dkim: boolean
  spf: boolean
  headerFrom: string
  /** The receiver says that it was forwarded or came by a mailing list. */
  forwarded: boolean
  /** Domains that DKIM proved, with selectors, and the one that SPF proved. */
  dkimPassed: { domain: string; selector: string }[]
  spfPassed: string | null
}

export type AggregateReport = {
  reporter: string
  reportId: string
  beganAt: Date
  endedAt: Date
  policyDomain: string
  policy: Disposition
  subdomainPolicy: Disposition | null
  rows: ReportRow[]
}

export function policyOf(value: unknown): Disposition | null {
  const text = plainText(value).toLowerCase()
  return text === "none" || text === "quarantine" || text === "reject" ? text : null
}

/** In the form in which domains are compared. */
export function domainOf(value: unknown): string {
  return plainText(value).toLowerCase().replace(/\.$/, "")
}

/** The text of an element, without the five entities of XML and without control characters. */
export function plainText(value: unknown): string {
  if (typeof value !== "string") return ""
  return value
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&apos;", "'")
    .replaceAll("&amp;", "&")
    .replace(/\p{Cc}/gu, "")
    .trim()
}

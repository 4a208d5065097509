import { dayMs } from "@/lib/platform/time"

type Record = {
  address?: string
  count?: number
  disposition?: string
  dkim?: "pass" | "fail"
  spf?: "pass" | "fail"
  headerFrom?: string
  reason?: string
  auth?: string
}

type Options = {
  domain: string
  reporter?: string
  reportId?: string
  policy?: string
  /** More of policy_published. */
  published?: string
  /** Days ago on which the report's day began. */
  daysAgo?: number
  records?: Record[]
}

/** An aggregate report of one day as RFC 7489 describes it. */
export function reportOf({
  domain,
  reporter = "receiver.example",
  reportId = "r1",
  policy = "none",
  published = "",
  daysAgo = 1,
  records = [{}],
}: Options): string {
  const midnight = Math.floor(Date.now() / dayMs - daysAgo) * 86_400
  return `<?xml version="1.0" encoding="UTF-8" ?>
<feedback>
  <report_metadata>
    <org_name>${reporter}</org_name><email>noreply@${reporter}</email><report_id>${reportId}</report_id>
    <date_range><begin>${midnight}</begin><end>${midnight + 86_399}</end></date_range>
  </report_metadata>
  <policy_published><domain>${domain}</domain><adkim>r</adkim><aspf>r</aspf><p>${policy}</p>${published}<pct>100</pct></policy_published>
  ${records.map((record) => recordOf(domain, record)).join("\n  ")}
</feedback>
`
}

function recordOf(domain: string, record: Record): string {
  const { address = "192.0.2.1", count = 1, disposition = "none", dkim = "pass", spf = "pass" } = record
  const { headerFrom = domain, reason, auth = `<spf><domain>${domain}</domain><result>pass</result></spf>` } = record
  const reasons = reason ? `<reason><type>${reason}</type><comment/></reason>` : ""
  return `<record><row><source_ip>${address}</source_ip><count>${count}</count>
    <policy_evaluated><disposition>${disposition}</disposition><dkim>${dkim}</dkim><spf>${spf}</spf>${reasons}</policy_evaluated></row>
    <identifiers><header_from>${headerFrom}</header_from></identifiers><auth_results>${auth}</auth_results></record>`
}

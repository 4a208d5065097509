import { z } from "zod"
import { reportedName } from "@/lib/domains/dmarc/parse"
import { ReportRefused } from "@/lib/domains/dmarc/unpack"
import { cutText } from "@/lib/platform/format"

/** An aggregate report about TLS (RFC 8460): how many sessions with our servers worked, and why the others did not. */
export type TlsReport = {
  reporter: string
  reportId: string
  contact: string | null
  beganAt: Date
  endedAt: Date
  policies: TlsPolicyResult[]
}

export type TlsPolicyResult = {
  /** What was applied: DANE, MTA-STS, or nothing. */
  type: "tlsa" | "sts" | "no-policy-found" | "other"
  domain: string
  /** The policy as it was found, line by line. */
  policy: string[]
  /** Host names or patterns that it allows. */
  hosts: string[]
  succeeded: number
  failed: number
  failures: TlsFailure[]
}

export type TlsFailure = {
  /** RFC 8460 section 4.3, as in `certificate-expired`. */
  result: string
  sessions: number
  sendingIp: string | null
  receivingHost: string | null
  receivingHelo: string | null
  receivingIp: string | null
  reason: string | null
  information: string | null
}

const policiesMax = 1_000
const failuresMax = 5_000
const depthMax = 12
/** Each brace, bracket and comma makes a value. */
const valuesMax = 500_000

/** Reads the JSON of a TLS report. Unknown names are dropped, and what reporters leave out or empty is absent. @throws ReportRefused */
export function parseTlsReport(json: string): TlsReport {
  refuseShape(json)
  const read = Wire.safeParse(valueOf(json))
  if (!read.success) {
    const [issue] = read.error.issues
    throw new ReportRefused(`The JSON is not a TLS report: ${issue?.path.join(".") || "it"} is missing or invalid.`)
  }
  const { "date-range": range, policies } = read.data
  const [beganAt, endedAt] = [instantOf(range["start-datetime"]), instantOf(range["end-datetime"])]
  if (endedAt < beganAt) throw new ReportRefused("The report ends before it begins.")
  if (
    policies.length > policiesMax ||
    policies.reduce((sum, one) => sum + one["failure-details"].length, 0) > failuresMax
  )
    throw new ReportRefused("The report has more policies or failures than can be true.")
  const reporter = lineOf(read.data["organization-name"], 200)
  const reportId = lineOf(read.data["report-id"], 255)
  if (!reporter || !reportId) throw new ReportRefused("The report does not name its reporter and its id.")
  return {
    reporter,
    reportId,
    contact: lineOf(read.data["contact-info"], 320),
    beganAt,
    endedAt,
    policies: policies.map(resultOf),
  }
}

const text = z.string().catch("")
const texts = z.union([z.string().transform((one) => [one]), z.array(text)]).catch([])
const sessionsMax = 1_000_000_000_000
const count = z
  .union([
    z.number(),
    z
      .string()
      .regex(/^\d{1,15}$/)
      .transform(Number),
  ])
  .pipe(z.int().min(0).max(sessionsMax))

const Wire = z.object({
  "organization-name": text,
  "date-range": z.object({ "start-datetime": z.string(), "end-datetime": z.string() }),
  "contact-info": text,
  "report-id": z.string(),
  policies: z.array(
    z.object({
      policy: z.object({ "policy-type": text, "policy-string": texts, "policy-domain": z.string(), "mx-host": texts }),
      summary: z.object({ "total-successful-session-count": count, "total-failure-session-count": count }),
      "failure-details": z
        .array(
          z.object({
            "result-type": z.string(),
            "failed-session-count": count,
            "sending-mta-ip": text,
            "receiving-mx-hostname": text,
            "receiving-mx-helo": text,
            "receiving-ip": text,
            "failure-reason-code": text,
            "additional-information": text,
          }),
        )
        .nullish()
        .transform((list) => list ?? []),
    }),
  ),
})

/** Nesting and number of values are counted before JSON.parse makes them. */
function refuseShape(json: string): void {
  let depth = 0
  let values = 0
  for (let at = 0; at < json.length; at += 1) {
    const character = json.charCodeAt(at)
    if (character === 0x7b || character === 0x5b) depth += 1
    else if (character === 0x7d || character === 0x5d) depth -= 1
    else if (character !== 0x2c) continue
    values += 1
    if (depth > depthMax || values > valuesMax) throw new ReportRefused("The JSON is nested too deeply or too large.")
  }
}

function valueOf(json: string): unknown {
  try {
    return JSON.parse(json.replace(/^\ufeff/, ""))
  } catch {
    throw new ReportRefused("The JSON is not well-formed.")
  }
}

function instantOf(value: string): Date {
  const instant = new Date(/^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d/.test(value) ? value : Number.NaN)
  if (Number.isNaN(instant.getTime())) throw new ReportRefused("The report has no usable date-range.")
  return instant
}

type WirePolicy = z.output<typeof Wire>["policies"][number]

function resultOf({ policy, summary, "failure-details": failures }: WirePolicy): TlsPolicyResult {
  return {
    type: typeOf(policy["policy-type"]),
    domain: reportedName(policy["policy-domain"]).slice(0, 253),
    policy: linesOf(policy["policy-string"]),
    hosts: linesOf(policy["mx-host"]),
    succeeded: summary["total-successful-session-count"],
    failed: summary["total-failure-session-count"],
    failures: failures.map((failure) => ({
      result: lineOf(failure["result-type"], 100) ?? "unknown",
      sessions: failure["failed-session-count"],
      sendingIp: lineOf(failure["sending-mta-ip"], 45),
      receivingHost: lineOf(failure["receiving-mx-hostname"], 253),
      receivingHelo: lineOf(failure["receiving-mx-helo"], 253),
      receivingIp: lineOf(failure["receiving-ip"], 45),
      reason: lineOf(failure["failure-reason-code"], 500),
      information: lineOf(failure["additional-information"], 500),
    })),
  }
}

function typeOf(value: string): TlsPolicyResult["type"] {
  const word = value.trim().toLowerCase()
  return word === "tlsa" || word === "sts" || word === "no-policy-found" ? word : "other"
}

function linesOf(values: readonly string[]): string[] {
  return values.slice(0, 100).flatMap((value) => lineOf(value, 500) ?? [])
}

function lineOf(value: string, charsMax: number): string | null {
  const line = cutText(
    value
      .slice(0, 4 * charsMax)
      .replace(/\p{Cc}/gu, "")
      .trim(),
    charsMax,
  )
  return line === "" ? null : line
}

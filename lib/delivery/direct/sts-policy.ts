import type { StubOutcome } from "@/lib/platform/dns/stub"

/** A policy of MTA-STS (RFC 8461): to which hosts mail goes, and whether only over TLS with a valid certificate. */
export type StsPolicy = { mode: "enforce" | "testing" | "none"; mx: readonly string[]; maxAgeSeconds: number }

/** The id of the one record that a domain with a policy has (RFC 8461 section 3.1). */
export function policyIdIn(record: StubOutcome<string>): string | undefined {
  const records = record.kind === "found" ? record.values.filter((text) => /^v=STSv1\s*(?:;|$)/.test(text)) : []
  if (records.length !== 1) return undefined
  const fields = (records[0] ?? "").split(";").map((field) => field.trim())
  return fields.flatMap((field) => /^id\s*=\s*([A-Za-z0-9]{1,32})$/.exec(field)?.[1] ?? [])[0]
}

const maxAgeSecondsMax = 31_557_600
const patternsMax = 100

/** Reads a policy (RFC 8461 section 3.2); null if it is none. */
export function parsePolicy(text: string): StsPolicy | null {
  const lines = text.split(/\r?\n/).map((line) => line.trim())
  const fields = lines.filter(Boolean).map((line) => {
    const at = line.indexOf(":")
    return { name: line.slice(0, at), value: line.slice(at + 1).trim() }
  })
  // Of a field that may occur once, the first one counts.
  const first = (wanted: string) => fields.find(({ name }) => name === wanted)?.value
  const mode = (["enforce", "testing", "none"] as const).find((one) => one === first("mode"))
  const maxAge = /^\d{1,10}$/.exec(first("max_age") ?? "")?.[0]
  const mx = fields.flatMap(({ name, value }) => (name === "mx" ? value.toLowerCase().replace(/\.$/, "") : []))
  if (first("version") !== "STSv1" || !mode || maxAge === undefined) return null
  if (mx.length > patternsMax || !mx.every(isPattern) || (mx.length === 0 && mode !== "none")) return null
  return { mode, mx, maxAgeSeconds: Math.min(Number(maxAge), maxAgeSecondsMax) }
}

/** A host name, or all that are one label below one. */
function isPattern(text: string): boolean {
  return /^(?=.{1,255}$)(?:\*\.)?[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})+$/.test(text)
}

/** Whether a policy allows a host. A `*` is exactly one label. */
export function allowsHost({ mx }: StsPolicy, host: string): boolean {
  const parent = host.slice(host.indexOf(".") + 1)
  return mx.some((pattern) => pattern === host || (host.includes(".") && pattern === `*.${parent}`))
}

/** The policy as its file has it. */
export function policyLines({ mode, mx, maxAgeSeconds }: StsPolicy): string[] {
  return ["version: STSv1", `mode: ${mode}`, ...mx.map((pattern) => `mx: ${pattern}`), `max_age: ${maxAgeSeconds}`]
}

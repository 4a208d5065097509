import type { Domain } from "@/components/domains/queries"
import { recordGroups, type ShownRecord, ttlSeconds } from "@/components/domains/records"
import { conflictOf, isOccupied, cannotSendYet, waitsForInstallation } from "@/lib/domains/rules"

/** The records to have in the DNS now: a new key waits until the one it replaces need not stay any longer. */
function recordsToHave(domain: Pick<Domain, "verificationRecords">, now: number): ShownRecord[] {
  return (
    recordGroups(domain)
      .flatMap(({ records }) => records)
      // Nothing is created where nothing can be recommended.
      .filter(({ value }) => value !== "")
      .filter(({ retired }) => !retired || Date.parse(retired.keepUntil) <= now)
  )
}

/** A text as quoted strings of at most 255 octets, as zone files and DNS services want it (RFC 1035 3.3.14, 5.1). */
export function quotedStrings(text: string, between = " "): string {
  const pieces = text.match(/[^]{1,255}/g) ?? [""]
  return pieces.map((piece) => `"${piece.replace(/[\\"]/g, "\\$&")}"`).join(between)
}

/** What the record is for, as a comment or a resource's name: `mail_from_spf`. */
function labelOf({ key }: ShownRecord): string {
  return key.replaceAll("-", "_")
}

/**
 * The body for Cloudflare's `POST /zones/{zone_id}/dns_records/batch`. Names with existing records are left
 * out, because Cloudflare refuses the whole batch for one record that it has; `left` says how many.
 */
export function cloudflareJson(domain: Domain, now: number): { text: string; created: number; left: number } {
  const records = recordsToHave(domain, now)
  const captured = waitsForInstallation(domain)
  const posts = records
    .filter((record) => !isOccupied(record))
    .map(({ type, name, value, priority }) => ({
      type,
      name,
      content: type === "TXT" ? quotedStrings(value) : value,
      ttl: ttlSeconds,
      ...(priority === undefined ? {} : { priority }),
      // Behind the proxy the alias would not be seen.
      ...(type === "CNAME" ? { proxied: false } : {}),
      comment: `${captured ? "Cannot send yet. " : ""}Sending as ${domain.domain}`.slice(0, 100),
    }))
  return { text: JSON.stringify({ posts }, null, 2), created: posts.length, left: records.length - posts.length }
}

export type TerraformProvider = "cloudflare" | "route53"

/** The records as Terraform resources; existing records are marked for an import instead. */
export function terraform(domain: Domain, provider: TerraformProvider, now: number): string {
  const prefix = domain.domain.replace(/[^a-z0-9]+/g, "_").replace(/^(?=\d)/, "_")
  const resources = recordsToHave(domain, now).map((record) => {
    const name = `${prefix}_${labelOf(record)}`
    const reason = conflictOf(record)
    const notes = [
      ...(reason === null ? [] : [`# ${reason}\n`]),
      ...(isOccupied(record)
        ? [`# A record already exists at ${record.name}: import it instead of creating it.\n`]
        : []),
    ]
    return notes.join("") + (provider === "cloudflare" ? cloudflare(record, name) : route53(record, name))
  })
  const warning = waitsForInstallation(domain) ? [`# ${cannotSendYet}`] : []
  return [...warning, variable(provider, domain.zone ?? domain.domain), ...resources].join("\n\n") + "\n"
}

function variable(provider: TerraformProvider, zone: string): string {
  const [name, service] =
    provider === "cloudflare" ? ["cloudflare_zone_id", "Cloudflare"] : ["route53_zone_id", "Route 53"]
  return block(`variable "${name}"`, [
    ["type", "string"],
    ["description", text(`The id of the zone ${zone} at ${service}.`)],
  ])
}

/** For version 5 of Cloudflare's provider. */
function cloudflare({ type, name, value, priority }: ShownRecord, resource: string): string {
  return block(`resource "cloudflare_dns_record" "${resource}"`, [
    ["zone_id", "var.cloudflare_zone_id"],
    ["name", text(name)],
    ["type", text(type)],
    ["content", text(type === "TXT" ? quotedStrings(value) : value)],
    ["ttl", String(ttlSeconds)],
    ...(priority === undefined ? [] : [["priority", String(priority)] as const]),
    ...(type === "CNAME" ? [["proxied", "false"] as const] : []),
  ])
}

/** AWS's provider puts the outer quotation marks around a TXT value itself: only those between its parts are ours. */
function route53({ type, name, value, priority }: ShownRecord, resource: string): string {
  const data =
    type === "TXT" ? quotedStrings(value, "").slice(1, -1) : priority === undefined ? value : `${priority} ${value}`
  return block(`resource "aws_route53_record" "${resource}"`, [
    ["zone_id", "var.route53_zone_id"],
    ["name", text(name)],
    ["type", text(type)],
    ["ttl", String(ttlSeconds)],
    ["records", `[${text(data)}]`],
  ])
}

function block(head: string, fields: (readonly [string, string])[]): string {
  const width = Math.max(...fields.map(([name]) => name.length))
  return [`${head} {`, ...fields.map(([name, value]) => `  ${name.padEnd(width)} = ${value}`), "}"].join("\n")
}

/** A string of the language: `${` and `%{` would begin a template. */
function text(value: string): string {
  return `"${value.replace(/[\\"]/g, "\\$&").replace(/[$%](?=\{)/g, "$&$&")}"`
}

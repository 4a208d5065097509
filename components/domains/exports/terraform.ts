import { cannotSendYet, waitsForInstallation } from "@/lib/domains/registration/sandbox-rules"
import { conflictOf, isOccupied } from "@/lib/domains/check/conflict-rules"
import { ttlSeconds, type ShownRecord } from "@/components/domains/records"
import type { Domain } from "@/components/domains/queries"
import { labelOf, quotedStrings, recordsToHave } from "@/components/domains/exports/records-to-create"

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

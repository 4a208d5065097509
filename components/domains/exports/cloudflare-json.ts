import { waitsForInstallation } from "@/lib/domains/registration/sandbox-rules"
import { isOccupied } from "@/lib/domains/check/conflict-rules"
import { ttlSeconds } from "@/components/domains/records"
import type { Domain } from "@/components/domains/queries"
import { quotedStrings, recordsToHave } from "@/components/domains/exports/records-to-create"

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

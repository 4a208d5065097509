import { env } from "@/lib/platform/env/env"
import type { Deprecation } from "@/lib/platform/http/endpoint"

/** What every answer of a deprecated operation says. Sources: RFC 9745 (Deprecation, a structured date), RFC 8594 (Sunset). */
export function deprecationHeaders({ since, sunset, page }: Deprecation): Record<string, string> {
  return {
    Deprecation: `@${Math.floor(since.getTime() / 1000)}`,
    Sunset: sunset.toUTCString(),
    Link: `<${env().baseUrl}${page}>; rel="deprecation"; type="text/html"`,
  }
}

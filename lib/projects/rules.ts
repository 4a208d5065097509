import type { FieldProblem } from "@/lib/platform/http/problem"
import type { Limits } from "@/lib/projects/schema"

/** The slug of a name: lower-case words joined by hyphens, or `project` when nothing is left. */
export function slugOf(name: string): string {
  const words =
    name
      .normalize("NFKD")
      .replace(/\p{M}/gu, "")
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? []
  return words.join("-").slice(0, 50).replace(/-+$/, "") || "project"
}

/** How the operator's command names each limit; every limit has a ceiling that the operator can raise. */
export const limitFlags = {
  perSecondSends: "per-second",
  dailySends: "per-day",
  maxRecipientsPerMessage: "max-recipients-per-message",
  maxDomains: "max-domains",
  maxApiKeys: "max-api-keys",
  maxWebhooks: "max-webhooks",
} as const satisfies Record<keyof Limits, string>

/** Every limit above the operator's ceiling, with its pointer. */
export function limitsOverCeiling(wanted: Limits, ceilings: Limits): FieldProblem[] {
  return (Object.keys(ceilings) as (keyof Limits)[])
    .filter((name) => wanted[name] > ceilings[name])
    .map((name) => ({
      pointer: `/limits/${name}`,
      detail: `At most ${ceilings[name]}. The operator of this installation can raise it with set-limits --${limitFlags[name]}.`,
    }))
}

/** The pool of egress addresses of projects, and of addresses, that name no other. */
export const defaultPool = "default"

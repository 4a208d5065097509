import { localPartMax } from "@/lib/addresses/address"

/** What a route's pattern takes: one local part, all that begin with a prefix and a plus, or all of the domain. */
const patternForm = /^(?:\*|[a-z0-9!#$%&'/=?^_`{|}~.+-]{1,62}\+\*|[a-z0-9!#$%&'/=?^_`{|}~.+-]{1,64})$/

/** The pattern in lower case; null if it has none of the three forms. */
export function routePattern(text: string): string | null {
  const pattern = text.toLowerCase()
  return patternForm.test(pattern) && !/^\.|\.\.|\.$|^\+/.test(pattern.replace(/\+?\*$/, "")) ? pattern : null
}

/** The route for a local part in lower case: the address itself, else the longest prefix, else all of the domain. */
export function bestRoute<R extends { pattern: string }>(routes: readonly R[], local: string): R | null {
  let best: R | null = null
  for (const route of routes)
    if (takes(route.pattern, local) && (!best || rankOf(route.pattern) > rankOf(best.pattern))) best = route
  return best
}

function takes(pattern: string, local: string): boolean {
  if (pattern === "*") return true
  return pattern.endsWith("+*") ? local.startsWith(pattern.slice(0, -1)) : pattern === local
}

function rankOf(pattern: string): number {
  if (pattern === "*") return 0
  return pattern.endsWith("+*") ? pattern.length : 2 * localPartMax
}

/** What follows the plus of a route's prefix, else the first plus of the local part; null if nothing does. */
export function plusOf(pattern: string | null, local: string): string | null {
  const lower = local.toLowerCase()
  const prefix = pattern?.endsWith("+*") ? pattern.slice(0, -1) : null
  const start = prefix !== null && lower.startsWith(prefix) ? prefix.length : local.indexOf("+") + 1
  return start > 0 && start < local.length ? local.slice(start) : null
}

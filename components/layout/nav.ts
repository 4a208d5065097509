import type { ReactNode } from "react"
import type { CallAnswer } from "@/components/data/call"

export type NavItem = {
  href: string
  label: string
  icon: ReactNode
  /** Whose number is shown beside it. */
  counted?: CountedItem
  /** Only this very page counts, not those below it; for an overview at the root. */
  exact?: boolean
}

export type CountedItem = Exclude<keyof CallAnswer<"GET /v1/projects/{projectId}/counts">, "attention">

export type NavGroup = { label?: string; items: NavItem[] }

export function isActive(item: Pick<NavItem, "href" | "exact">, path: string): boolean {
  if (path === item.href) return true
  return !item.exact && path.startsWith(`${item.href}/`)
}

import type { ReactNode } from "react"

export type NavItem = {
  href: string
  label: string
  /** A figure is written with thousands separators; anything else as it is. */
  count?: number | ReactNode
  /** Leave out to let the address decide: this page, or one below it. */
  active?: boolean
  /** Only this very page counts, not those below it; for an overview at the root. */
  exact?: boolean
}

export type NavGroup = { label?: string; items: NavItem[] }

export function isActive(item: NavItem, path: string): boolean {
  if (item.active !== undefined) return item.active
  if (path === item.href) return true
  return !item.exact && path.startsWith(`${item.href}/`)
}

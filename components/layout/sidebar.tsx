"use client"

import Link from "next/link"
import { usePathname } from "next/navigation"
import type { ReactNode } from "react"
import { cn } from "@/components/ui/cn"
import { isActive, type NavGroup, type NavItem } from "@/components/layout/nav"
import { SearchButton } from "@/components/layout/search-button"
import { ThemeToggle } from "@/components/layout/theme-toggle"

export type SidebarProps = {
  /** The project switcher: 24 px square, names beside it. */
  switcher: ReactNode
  groups: NavGroup[]
  /** Below everything: Settings and the like. */
  bottom?: NavItem[]
  /** The person who is signed in. */
  account?: ReactNode
}

/** The content of the left column, and of the sheet on a phone. */
export function Sidebar({ switcher, groups, bottom = [], account }: SidebarProps) {
  const path = usePathname()
  return (
    <>
      <div className="mb-2.5">{switcher}</div>
      <div className="mb-3">
        <SearchButton />
      </div>
      <nav aria-label="Main" className="flex flex-1 flex-col gap-4">
        {groups.map((group, index) => (
          <Group key={group.label ?? index} group={group} path={path} />
        ))}
        <span className="flex-1" />
        {bottom.length > 0 ? <Group group={{ items: bottom }} path={path} /> : null}
      </nav>
      <div className="mt-2 flex flex-wrap items-center justify-between gap-2 border-t border-line pt-2.5">
        {account ?? <span />}
        <ThemeToggle className="h-7 [&_label]:px-1.5 [&_svg]:size-3.5" />
      </div>
    </>
  )
}

function Group({ group, path }: { group: NavGroup; path: string }) {
  return (
    <div>
      {group.label ? <p className="px-2 pb-1 text-xs text-faint">{group.label}</p> : null}
      <ul aria-label={group.label} className="flex flex-col gap-0.5">
        {group.items.map((item) => (
          <li key={item.href}>
            <Entry item={item} active={isActive(item, path)} />
          </li>
        ))}
      </ul>
    </div>
  )
}

function Entry({ item, active }: { item: NavItem; active: boolean }) {
  return (
    <Link
      href={item.href}
      aria-current={active ? "page" : undefined}
      className={cn(
        "group flex items-center justify-between gap-2 rounded-md px-2 py-1.5 -outline-offset-1 transition-colors",
        active ? "bg-panel text-text shadow-[0_0_0_1px_var(--line)]" : "text-muted hover:bg-wait-soft hover:text-text",
      )}
    >
      <span className="truncate">{item.label}</span>
      {item.count === undefined ? null : (
        <span className="text-faint tabular-nums group-hover:text-muted">
          {typeof item.count === "number" ? item.count.toLocaleString("en") : item.count}
        </span>
      )}
    </Link>
  )
}

"use client"

import { useQuery } from "@tanstack/react-query"
import { Search, Menu, X } from "lucide-react"
import Link from "next/link"
import { usePathname } from "next/navigation"
import { type ReactNode, useEffect, useRef, useState, type MouseEvent } from "react"
import type { CallAnswer } from "@/components/data/call"
import { query } from "@/components/data/query"
import { isActive, type NavGroup, type NavItem, useModKey } from "@/components/layout/keys"
import { openOverlay, useOverlay } from "@/components/layout/overlay"
import { cn } from "@/components/ui/cn"
import { Kbd } from "@/components/ui/text"
import { useWanted } from "@/components/ui/leaving"
import { formatNumber } from "@/lib/platform/format"
import { IconButton } from "@/components/ui/button"

export type SidebarProps = {
  projectId: string
  /** The project switcher: 24 px square, names beside it. */
  switcher: ReactNode
  groups: NavGroup[]
  /** Below everything: Settings and the like. */
  bottom?: NavItem[]
  /** The person who is signed in. */
  account?: ReactNode
}

/** The content of the left column, and of the sheet on a phone. */
export function Sidebar({ projectId, switcher, groups, bottom = [], account }: SidebarProps) {
  return (
    <>
      <div className="mb-2.5">{switcher}</div>
      <div className="mb-3">
        <SearchButton />
      </div>
      {/* In a low window it scrolls by itself, so that search and account stay in sight. */}
      <nav aria-label="Main" className="main-nav -mx-1 flex min-h-0 flex-1 flex-col gap-4 overflow-y-auto px-1">
        {groups.map((group, index) => (
          <Group key={group.label ?? index} group={group} projectId={projectId} />
        ))}
        <span className="flex-1" />
        {bottom.length > 0 ? <Group group={{ items: bottom }} projectId={projectId} /> : null}
      </nav>
      {account ? <div className="mt-2 border-t border-line pt-2">{account}</div> : null}
    </>
  )
}

function Group({ group, projectId }: { group: NavGroup; projectId: string }) {
  return (
    <div>
      {group.label ? <p className="px-2 pb-1 text-xs text-faint">{group.label}</p> : null}
      <ul aria-label={group.label} className="flex flex-col gap-px">
        {group.items.map((item) => (
          <li key={item.href}>
            <Entry item={item} projectId={projectId} />
          </li>
        ))}
      </ul>
    </div>
  )
}

/** The entry that was pressed is marked before its page is there. */
function Entry({ item, projectId }: { item: NavItem; projectId: string }) {
  const path = usePathname()
  const marked = useWanted((wanted) => isActive(item, wanted ?? path))
  return (
    <Link
      href={item.href}
      aria-current={isActive(item, path) ? "page" : undefined}
      className={cn(
        "group flex items-center gap-2.5 rounded-md px-2 py-1.5 -outline-offset-1 [&_svg]:size-4 [&_svg]:shrink-0",
        marked
          ? "bg-panel font-medium text-text shadow-[0_0_0_1px_var(--line)]"
          : "text-muted hover:bg-wait-soft hover:text-text active:bg-wait-soft",
      )}
    >
      {item.icon}
      <span className="min-w-0 flex-1 truncate">{item.label}</span>
      {item.counted ? <Count projectId={projectId} of={item.counted} /> : null}
    </Link>
  )
}

/** Left out until it is known, and for what there is none of. Below 1,000,000 in full. */
function Count({ projectId, of }: { projectId: string; of: NonNullable<NavItem["counted"]> }) {
  const counts = useQuery({
    ...query("GET /v1/projects/{projectId}/counts", { params: { projectId } }),
    refetchInterval: 60_000,
  })
  const count = counts.data?.[of]
  const trouble = counts.data ? troubleOf(counts.data.attention, of) : ""
  return count ? (
    <>
      {trouble ? (
        <span title={trouble} className="-mr-1 grid size-3 place-items-center">
          <span aria-hidden="true" className="size-1.5 rounded-full bg-warn" />
          <span className="sr-only">({trouble})</span>
        </span>
      ) : null}
      <span aria-hidden="true" className="text-xs text-faint tabular-nums">
        {count < 1_000_000 ? formatNumber(count) : `${(count / 1_000_000).toFixed(1)}m`}
      </span>
    </>
  ) : null
}

type Attention = CallAnswer<"GET /v1/projects/{projectId}/counts">["attention"]

/** "1 degraded, 2 failed", or nothing. */
function troubleOf(attention: Attention, of: NonNullable<NavItem["counted"]>): string {
  const byWord: Record<string, number> = of === "domains" || of === "webhooks" ? attention[of] : {}
  return Object.entries(byWord)
    .filter(([, count]) => count > 0)
    .map(([word, count]) => `${count} ${word}`)
    .join(", ")
}

/** Opens the palette and shows its shortcut. */
function SearchButton() {
  const mod = useModKey()
  return (
    <button
      type="button"
      aria-haspopup="dialog"
      aria-keyshortcuts="Control+K Meta+K"
      onClick={() => openOverlay("palette")}
      className="flex h-8 w-full items-center gap-2 rounded-md border border-line-strong bg-panel px-2 text-muted transition-colors
        hover:border-muted hover:text-text"
    >
      <Search aria-hidden="true" className="size-4 shrink-0" />
      <span className="flex-1 truncate text-left">Search</span>
      <span className="flex gap-1">
        <Kbd>{mod}</Kbd>
        <Kbd>K</Kbd>
      </span>
    </button>
  )
}

/** Below 1024 px: a bar with a button that opens the navigation as a sheet over the page. */
export function MobileBar({ title, children }: { title: ReactNode; children: ReactNode }) {
  const sheet = useRef<HTMLDialogElement>(null)
  const [open, setOpen] = useState(false)
  const path = usePathname()

  const overlay = useOverlay()

  // The sheet makes way for the page that was chosen in it, and for the palette.
  useEffect(() => sheet.current?.close(), [path, overlay])
  function show() {
    setOpen(true)
    sheet.current?.showModal()
  }
  function onClick(event: MouseEvent<HTMLDialogElement>) {
    const onVeil = event.target === event.currentTarget
    const onLink = event.target instanceof Element && event.target.closest("a") !== null
    if (onVeil || onLink) sheet.current?.close()
  }

  return (
    <header className="sticky top-0 z-30 flex items-center gap-2 border-b border-line bg-sunken px-3 py-2 lg:hidden">
      <IconButton label="Open menu" icon={<Menu />} aria-haspopup="dialog" aria-expanded={open} onClick={show} />
      <div className="flex min-w-0 flex-1">{title}</div>
      <IconButton label="Search" icon={<Search />} aria-haspopup="dialog" onClick={() => openOverlay("palette")} />
      <dialog
        ref={sheet}
        aria-label="Menu"
        onClick={onClick}
        onClose={() => setOpen(false)}
        className="m-0 h-dvh max-h-none w-72 max-w-[calc(100vw-3rem)] animate-slide-in border-r border-line bg-sunken text-text
          backdrop:bg-veil"
      >
        {open ? (
          <div className="relative flex min-h-full flex-col px-2.5 py-3">
            <div className="mb-1 flex justify-end">
              <IconButton label="Close menu" icon={<X />} onClick={() => sheet.current?.close()} />
            </div>
            {children}
          </div>
        ) : null}
      </dialog>
    </header>
  )
}

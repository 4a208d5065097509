"use client"

import Link from "next/link"
import { usePathname } from "next/navigation"
import { cn } from "@/components/ui/cn"

type Item = { href: string; title: string }

type DocsNavProps = {
  /** Names the list. */
  label: string
  items: Item[]
  /** The way to the other part of the documentation. */
  other: Item
}

/** The pages of a part of the documentation beside the text; above it, and folded, where there is no room. */
export function DocsNav({ label, items, other }: DocsNavProps) {
  const path = usePathname()
  const current = items.find(({ href }) => href === path)?.title ?? label
  return (
    <>
      <details key={path} className="mt-4 rounded-lg border border-line bg-panel lg:hidden">
        <summary className="px-4 py-2.5 font-medium">{current}</summary>
        <nav aria-label={label} className="border-t border-line p-2">
          <List items={items} path={path} />
        </nav>
      </details>
      <nav
        aria-label={label}
        className="sticky top-14 hidden max-h-[calc(100dvh-3.5rem)] w-52 shrink-0 self-start overflow-y-auto py-10 lg:block"
      >
        <List items={items} path={path} />
        <p className="mt-4 border-t border-line px-2 pt-4">
          <Link href={other.href} className="text-muted hover:text-text">
            {other.title}
          </Link>
        </p>
      </nav>
    </>
  )
}

function List({ items, path }: { items: Item[]; path: string }) {
  return (
    <ul className="flex flex-col gap-0.5">
      {items.map(({ href, title }) => (
        <li key={href}>
          <Link
            href={href}
            aria-current={href === path ? "page" : undefined}
            className={cn(
              "block rounded-md px-2 py-1.5 -outline-offset-1 transition-colors",
              href === path
                ? "bg-panel text-text shadow-[0_0_0_1px_var(--line)]"
                : "text-muted hover:bg-wait-soft hover:text-text",
            )}
          >
            {title}
          </Link>
        </li>
      ))}
    </ul>
  )
}

"use client"

import Link from "next/link"
import { usePathname } from "next/navigation"
import { cn } from "@/components/ui/cn"

type Item = { href: string; title: string }

/** The guides beside the text; above it, and folded, where there is no room. */
export function DocsNav({ items }: { items: Item[] }) {
  const path = usePathname()
  const all = [{ href: "/docs", title: "Overview" }, ...items]
  const current = all.find(({ href }) => href === path)?.title ?? "Guides"
  return (
    <>
      <details key={path} className="mt-4 rounded-lg border border-line bg-panel lg:hidden">
        <summary className="px-4 py-2.5 font-medium">{current}</summary>
        <nav aria-label="Guides" className="border-t border-line p-2">
          <List items={all} path={path} />
        </nav>
      </details>
      <nav aria-label="Guides" className="sticky top-14 hidden w-52 shrink-0 self-start py-10 lg:block">
        <List items={all} path={path} />
        <p className="mt-4 border-t border-line px-2 pt-4">
          <Link href="/docs/reference" className="text-muted hover:text-text">
            API reference
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

import type { ReactNode } from "react"
import { Logo } from "@/components/layout/logo"

/** A whole page that has one thing to say: not found, broken, no longer valid. */
export function MessagePage({
  title,
  children,
  actions,
}: {
  title: ReactNode
  children: ReactNode
  actions?: ReactNode
}) {
  return (
    <main className="grid min-h-[70dvh] place-content-center justify-items-center px-4 py-16 text-center">
      <Logo className="mb-5 size-8" />
      <h1 className="text-2xl font-semibold tracking-[-0.01em] text-balance">{title}</h1>
      <div className="mt-2 max-w-110 text-balance text-muted">{children}</div>
      {actions ? <div className="mt-5 flex flex-wrap justify-center gap-2">{actions}</div> : null}
    </main>
  )
}

import type { ReactNode } from "react"
import { cn } from "@/components/ui/cn"

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

type AuthFrameProps = {
  title: ReactNode
  description?: ReactNode
  children: ReactNode
  /** Small print below the card. */
  footer?: ReactNode
  wide?: boolean
}

/** One card in the middle of an empty page: sign-in, first run, an invite. */
export function AuthFrame({ title, description, children, footer, wide }: AuthFrameProps) {
  return (
    <main className="grid min-h-dvh grid-rows-[1fr_auto_1.4fr] justify-items-center px-4 py-8">
      <span />
      <div className={wide ? "w-full max-w-130" : "w-full max-w-100"}>
        <div className="mb-5 flex items-center justify-center gap-2.5 text-lg font-semibold">
          <Logo />
          Mailroom
        </div>
        <section className="rounded-lg border border-line bg-panel p-6">
          <h1 className="text-xl font-semibold tracking-[-0.01em]">{title}</h1>
          {description ? <p className="mt-1 text-muted">{description}</p> : null}
          <div className="mt-5">{children}</div>
        </section>
        {footer ? <div className="mt-4 text-center text-sm text-muted">{footer}</div> : null}
      </div>
    </main>
  )
}

/** An envelope whose fold is also the M of Mailroom. */
export function Logo({ className }: { className?: string }) {
  return (
    <svg aria-hidden="true" viewBox="0 0 32 32" fill="none" className={cn("size-6", className)}>
      <rect width="32" height="32" rx="8" className="fill-accent" />
      <path
        d="M8 22V11l8 7 8-7v11"
        className="stroke-on-accent"
        strokeWidth="3"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  )
}

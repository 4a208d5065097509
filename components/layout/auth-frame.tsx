import type { ReactNode } from "react"
import { Logo } from "@/components/layout/logo"

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

import type { ReactNode } from "react"

type StepFrameProps = { title: string; children: ReactNode; actions?: ReactNode; error?: string | undefined }

/** One step of the guide: what it is, what was refused, and what to press. */
export function StepFrame({ title, children, actions, error }: StepFrameProps) {
  return (
    <section className="max-w-200 px-4 py-6 sm:px-6">
      <h3 className="text-xl font-semibold">{title}</h3>
      <div className="mt-1.5 text-muted [overflow-wrap:anywhere]">{children}</div>
      {error ? (
        <p role="alert" className="mt-3 text-bad">
          {error}
        </p>
      ) : null}
      {actions ? <div className="mt-4 flex flex-wrap gap-2">{actions}</div> : null}
    </section>
  )
}

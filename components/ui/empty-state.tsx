import type { ReactNode } from "react"
import { cn } from "@/components/ui/cn"
import { CodeBlock } from "@/components/ui/code-block"

type EmptyStateProps = {
  icon?: ReactNode
  title: string
  /** One sentence: what this is and why one would want it. */
  children: ReactNode
  action?: ReactNode
  /** The same action as a command, where the API can do it. */
  curl?: string
  className?: string
}

export function EmptyState({ icon, title, children, action, curl, className }: EmptyStateProps) {
  return (
    <div className={cn("mx-auto flex max-w-180 flex-col items-center px-4 py-12 text-center", className)}>
      {icon ? (
        <span aria-hidden="true" className="mb-3 text-faint [&_svg]:size-6">
          {icon}
        </span>
      ) : null}
      <p className="text-lg font-semibold">{title}</p>
      <p className="mt-1 max-w-136 text-balance text-muted">{children}</p>
      {action ? <div className="mt-4 flex flex-wrap justify-center gap-2">{action}</div> : null}
      {curl ? <CodeBlock code={curl} name="curl command" wrap={false} className="mt-6 w-full" /> : null}
    </div>
  )
}

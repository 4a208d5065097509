import type { ComponentProps, ReactNode } from "react"
import { cn } from "@/components/ui/cn"

/** While it is busy, what it shows is that of before. */
export function Card({ className, ...rest }: ComponentProps<"section">) {
  return (
    <section
      className={cn(
        "mb-4 min-w-0 overflow-clip rounded-lg border border-line bg-panel",
        "aria-busy:opacity-60 aria-busy:transition-opacity aria-busy:delay-150",
        className,
      )}
      {...rest}
    />
  )
}

type CardHeaderProps = {
  title: ReactNode
  description?: ReactNode
  actions?: ReactNode
  id?: string
  className?: string
}

export function CardHeader({ title, description, actions, id, className }: CardHeaderProps) {
  return (
    <header
      className={cn(
        "flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-b border-line px-4 py-3 last:border-b-0",
        className,
      )}
    >
      <div className="min-w-0">
        <h2 id={id} className="font-semibold">
          {title}
        </h2>
        {description ? <p className="mt-0.5 text-muted">{description}</p> : null}
      </div>
      {actions ? <div className="flex flex-wrap items-center gap-2 text-muted">{actions}</div> : null}
    </header>
  )
}

export function CardBody({ className, ...rest }: ComponentProps<"div">) {
  return <div className={cn("p-4", className)} {...rest} />
}

export function CardFooter({ className, ...rest }: ComponentProps<"footer">) {
  return (
    <footer
      className={cn("flex flex-wrap items-center justify-between gap-2 border-t border-line px-4 py-3", className)}
      {...rest}
    />
  )
}

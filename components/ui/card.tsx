import type { ComponentProps, ReactNode } from "react"
import { cn } from "@/components/ui/cn"
import { Button } from "@/components/ui/button"

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

type ColumnsProps = {
  /** even: two halves. start, end: a column of 360 px on that side, the rest for the other. */
  layout?: "even" | "start" | "end"
  children: ReactNode
  className?: string
}

/** Cards side by side from 1024 px on, below each other before; cards bring their own distance. */
export function Columns({ layout = "even", children, className }: ColumnsProps) {
  return <div className={cn("grid gap-x-4", template[layout], className)}>{children}</div>
}

const template = {
  even: "lg:grid-cols-2",
  start: "lg:grid-cols-[minmax(280px,360px)_minmax(0,1fr)]",
  end: "lg:grid-cols-[minmax(0,1fr)_minmax(280px,360px)]",
}

/** The foot of a card that was changed. The Tab key comes from the last field to Save, which is drawn behind Discard. */
export function SaveRow({ saving, onReset }: { saving: boolean; onReset: () => void }) {
  return (
    <CardFooter className="flex-row-reverse justify-start">
      <Button type="submit" variant="primary" loading={saving}>
        Save
      </Button>
      <Button onClick={onReset}>Discard</Button>
    </CardFooter>
  )
}

import type { ReactNode } from "react"
import { cn } from "@/components/ui/cn"

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

import { Fragment, type ReactNode } from "react"
import { cn } from "@/components/ui/cn"

type KeyValue = { label: ReactNode; value: ReactNode }

/** Names on the left, values on the right. Items that are null or false are omitted. */
export function KeyValues({ items, className }: { items: (KeyValue | null | false)[]; className?: string }) {
  return (
    <dl
      className={cn(
        "grid grid-cols-[minmax(88px,auto)_1fr] gap-x-4 gap-y-1.5 px-4 py-3 sm:grid-cols-[128px_1fr]",
        className,
      )}
    >
      {items.map((item, index) =>
        item ? (
          <Fragment key={index}>
            <dt className="text-muted">{item.label}</dt>
            <dd className="min-w-0 [overflow-wrap:anywhere]">{item.value}</dd>
          </Fragment>
        ) : null,
      )}
    </dl>
  )
}

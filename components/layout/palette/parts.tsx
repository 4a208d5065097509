import { Command } from "cmdk"
import { Children, type ReactNode } from "react"
import { Kbd } from "@/components/ui/kbd"

/** Hidden while it is empty. */
export function Group({ title, children }: { title: string; children: ReactNode }) {
  if (Children.toArray(children).length === 0) return null
  return (
    <Command.Group
      heading={title}
      className="mb-1 [&_[cmdk-group-heading]]:px-2.5 [&_[cmdk-group-heading]]:pt-1.5 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-xs
        [&_[cmdk-group-heading]]:text-faint"
    >
      {children}
    </Command.Group>
  )
}

type ItemProps = {
  /** Names it among all others; not shown. */
  value: string
  onSelect: () => void
  icon: ReactNode
  aside?: ReactNode
  children: ReactNode
}

export function Item({ value, onSelect, icon, aside, children }: ItemProps) {
  return (
    <Command.Item
      value={value}
      onSelect={onSelect}
      className="flex min-h-9 cursor-pointer items-center gap-2.5 rounded-md px-2.5 py-1.5 select-none data-[selected=true]:bg-wait-soft
        [&>svg]:size-4 [&>svg]:shrink-0 [&>svg]:text-muted"
    >
      {icon}
      <span className="min-w-0 flex-1 truncate">{children}</span>
      {aside ? <span className="max-w-2/5 shrink-0 truncate text-xs text-muted">{aside}</span> : null}
    </Command.Item>
  )
}

/** The keys that do the same. */
export function Keys({ keys }: { keys: string[] }) {
  return (
    <span className="flex gap-1">
      {keys.map((key) => (
        <Kbd key={key}>{key}</Kbd>
      ))}
    </span>
  )
}

import { Command } from "cmdk"
import type { ReactNode } from "react"

export function Group({ title, children }: { title: string; children: ReactNode }) {
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
  /** Further words that find it. */
  words?: string[]
  /** The typed text, where the API has found it: it stands whatever its own words are. */
  always?: string
  children: ReactNode
}

export function Item({ value, onSelect, icon, aside, words = [], always, children }: ItemProps) {
  return (
    <Command.Item
      value={value}
      keywords={always ? [always] : words}
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

"use client"

import { Check } from "lucide-react"
import Link from "next/link"
import { DropdownMenu as Primitive } from "radix-ui"
import type { ReactNode } from "react"
import { cn } from "./cn"

type MenuProps = { trigger: ReactNode; children: ReactNode; align?: "start" | "center" | "end"; className?: string }

/** The trigger is one button; the children are MenuItem, MenuLink, MenuLabel, MenuSeparator, MenuChoices. */
export function Menu({ trigger, children, align = "end", className }: MenuProps) {
  return (
    <Primitive.Root modal={false}>
      <Primitive.Trigger asChild>{trigger}</Primitive.Trigger>
      <Primitive.Portal>
        <Primitive.Content
          align={align}
          sideOffset={4}
          collisionPadding={8}
          className={cn(
            "z-50 max-h-[min(24rem,var(--radix-dropdown-menu-content-available-height))] min-w-44 animate-appear overflow-y-auto",
            "rounded-lg border border-line-strong bg-panel p-1 shadow-float outline-none",
            className,
          )}
        >
          {children}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  )
}

type MenuItemProps = {
  children: ReactNode
  onSelect: () => void
  icon?: ReactNode
  /** Shown at the end, for example a Kbd. */
  aside?: ReactNode
  danger?: boolean
  disabled?: boolean
}

export function MenuItem({ children, onSelect, icon, aside, danger, disabled }: MenuItemProps) {
  return (
    <Primitive.Item disabled={disabled} onSelect={onSelect} className={cn(itemStyle, danger && dangerStyle)}>
      {icon}
      <span className="min-w-0 flex-1">{children}</span>
      {aside}
    </Primitive.Item>
  )
}

type MenuLinkProps = { href: string; children: ReactNode; icon?: ReactNode; download?: boolean; newTab?: boolean; current?: boolean }

export function MenuLink({ href, children, icon, download, newTab, current }: MenuLinkProps) {
  const leaves = download || newTab
  const attributes = { className: itemStyle, "aria-current": current ? ("true" as const) : undefined }
  const inside = (
    <>
      {icon}
      <span className="min-w-0 flex-1 truncate">{children}</span>
      {current ? <Check aria-hidden="true" /> : null}
    </>
  )
  return (
    <Primitive.Item asChild>
      {leaves ? (
        <a href={href} download={download} target={newTab ? "_blank" : undefined} rel="noopener" {...attributes}>{inside}</a>
      ) : (
        <Link href={href} {...attributes}>{inside}</Link>
      )}
    </Primitive.Item>
  )
}

type MenuChoicesProps = { value: string; onChange: (value: string) => void; options: { value: string; label: ReactNode }[] }

/** One of several, with a tick on the chosen. */
export function MenuChoices({ value, onChange, options }: MenuChoicesProps) {
  return (
    <Primitive.RadioGroup value={value} onValueChange={onChange}>
      {options.map((option) => (
        <Primitive.RadioItem key={option.value} value={option.value} className={itemStyle}>
          <span className="min-w-0 flex-1">{option.label}</span>
          <Primitive.ItemIndicator>
            <Check aria-hidden="true" />
          </Primitive.ItemIndicator>
        </Primitive.RadioItem>
      ))}
    </Primitive.RadioGroup>
  )
}

export function MenuLabel({ children }: { children: ReactNode }) {
  return <Primitive.Label className="truncate px-2 pt-1.5 pb-1 text-xs text-faint">{children}</Primitive.Label>
}

export function MenuSeparator() {
  return <Primitive.Separator className="-mx-1 my-1 h-px bg-line" />
}

const itemStyle =
  "flex min-h-8 w-full cursor-pointer items-center gap-2 rounded-md px-2 py-1.5 text-left outline-none select-none " +
  "data-highlighted:bg-wait-soft data-disabled:cursor-not-allowed data-disabled:opacity-50 [&_svg]:size-4 [&_svg]:shrink-0 " +
  "[&_svg]:text-muted"

const dangerStyle = "text-bad data-highlighted:bg-bad-soft [&_svg]:text-bad"

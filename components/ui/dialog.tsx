"use client"

import { X } from "lucide-react"
import { Dialog as Primitive } from "radix-ui"
import type { ReactNode } from "react"
import { cn } from "./cn"
import { veilStyle, windowStyle } from "./dialog-style"
import { IconButton } from "./icon-button"

type DialogProps = {
  /** One button that opens it; or leave it out and steer with open. */
  trigger?: ReactNode
  open?: boolean
  onOpenChange?: (open: boolean) => void
  title: ReactNode
  description?: ReactNode
  children: ReactNode
  /** Buttons at the foot. A form may bring its own DialogFooter instead. */
  footer?: ReactNode
  size?: "small" | "medium" | "large"
}

/** Keeps the focus inside, closes with Escape and gives the focus back. */
export function Dialog({ trigger, open, onOpenChange, title, description, children, footer, size = "medium" }: DialogProps) {
  return (
    <Primitive.Root open={open} onOpenChange={onOpenChange}>
      {trigger ? <Primitive.Trigger asChild>{trigger}</Primitive.Trigger> : null}
      <Primitive.Portal>
        <Primitive.Overlay className={veilStyle}>
          <Primitive.Content className={cn(windowStyle, width[size])} {...(description ? {} : { "aria-describedby": undefined })}>
            <header className="flex items-start justify-between gap-4 px-5 pt-4">
              <div className="min-w-0">
                <Primitive.Title className="text-lg leading-8 font-semibold">{title}</Primitive.Title>
                {description ? <Primitive.Description className="text-muted">{description}</Primitive.Description> : null}
              </div>
              <Primitive.Close asChild>
                <IconButton label="Close" icon={<X />} className="-mr-2" />
              </Primitive.Close>
            </header>
            <div className="px-5 pt-3 pb-5">{children}</div>
            {footer ? <DialogFooter className="mx-0 mt-0 mb-0">{footer}</DialogFooter> : null}
          </Primitive.Content>
        </Primitive.Overlay>
      </Primitive.Portal>
    </Primitive.Root>
  )
}

/** The row of buttons, usable at the end of a form inside a Dialog. */
export function DialogFooter({ children, className }: { children: ReactNode; className?: string }) {
  return (
    <footer className={cn("-mx-5 mt-5 -mb-5 flex flex-wrap justify-end gap-2 border-t border-line px-5 py-3", className)}>
      {children}
    </footer>
  )
}

/** Wraps the button that leaves without doing anything. */
export function DialogClose({ children }: { children: ReactNode }) {
  return <Primitive.Close asChild>{children}</Primitive.Close>
}

const width = { small: "max-w-100", medium: "max-w-130", large: "max-w-190" }

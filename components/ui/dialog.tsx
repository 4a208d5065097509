"use client"

import { X } from "lucide-react"
import { createContext, use, useCallback, useId, useState, type ReactNode } from "react"
import { cn } from "@/components/ui/cn"
import { IconButton } from "@/components/ui/icon-button"
import { useIntent } from "@/components/ui/intent"
import { Modal } from "@/components/ui/modal"
import { Opener } from "@/components/ui/opener"

type DialogProps = {
  /** One button that opens it; or leave it out and steer with open. */
  trigger?: ReactNode
  open?: boolean
  onOpenChange?: (open: boolean) => void
  /** Under this name the palette can open it. */
  intent?: string
  title: ReactNode
  description?: ReactNode
  /** Mounted when the dialog opens and unmounted when it closes, so that a form in it starts empty each time. */
  children: ReactNode
  /** Buttons at the foot. A form may bring its own DialogFooter instead. */
  footer?: ReactNode
  size?: "small" | "medium" | "large"
  /** Closes only by a button inside it, which sets `open`; closing the tab asks first. */
  locked?: boolean
}

/** What closes the dialog around. */
const Close = createContext<() => void>(() => undefined)

export function Dialog({
  trigger,
  open,
  onOpenChange,
  intent,
  title,
  description,
  children,
  footer,
  size = "medium",
  locked,
}: DialogProps) {
  const id = useId()
  const [own, setOwn] = useState(false)
  const change = useCallback(
    (next: boolean) => {
      setOwn(next)
      onOpenChange?.(next)
    },
    [onOpenChange],
  )
  const close = useCallback(() => change(false), [change])
  useIntent(
    intent,
    useCallback(() => change(true), [change]),
  )

  return (
    <>
      {trigger ? <Opener onOpen={() => change(true)}>{trigger}</Opener> : null}
      {(open ?? own) ? (
        <Modal
          labelledBy={`${id}-title`}
          describedBy={description ? `${id}-description` : undefined}
          locked={locked}
          onClose={close}
          className={width[size]}
        >
          <Close value={close}>
            <header className="flex items-start justify-between gap-4 px-5 pt-4">
              <div className="min-w-0">
                <h2 id={`${id}-title`} className="text-lg leading-8 font-semibold [overflow-wrap:anywhere]">
                  {title}
                </h2>
                {description ? (
                  <p id={`${id}-description`} className="text-muted">
                    {description}
                  </p>
                ) : null}
              </div>
              {locked ? null : (
                <DialogClose>
                  <IconButton label="Close" icon={<X />} className="-mr-2" />
                </DialogClose>
              )}
            </header>
            <div className="px-5 pt-3 pb-5">{children}</div>
            {footer ? <DialogFooter className="m-0 flex-row justify-end">{footer}</DialogFooter> : null}
          </Close>
        </Modal>
      ) : null}
    </>
  )
}

/** The row of buttons, usable at the end of a form inside a Dialog. The first, which the Tab key meets first, is drawn rightmost. */
export function DialogFooter({ children, className }: { children: ReactNode; className?: string }) {
  return (
    <footer
      className={cn(
        "-mx-5 mt-5 -mb-5 flex flex-row-reverse flex-wrap justify-start gap-2 border-t border-line px-5 py-3",
        className,
      )}
    >
      {children}
    </footer>
  )
}

/** Wraps the button that leaves without doing anything. It closes at once, as Escape does. */
export function DialogClose({ children }: { children: ReactNode }) {
  return (
    <span className="contents" onClick={use(Close)}>
      {children}
    </span>
  )
}

const width = { small: "max-w-100", medium: "max-w-130", large: "max-w-190" }

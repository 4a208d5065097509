"use client"

import { X } from "lucide-react"
import {
  createContext,
  use,
  useCallback,
  useId,
  useState,
  type ReactNode,
  useLayoutEffect,
  useRef,
  type MouseEvent,
  type SyntheticEvent,
} from "react"
import { cn } from "@/components/ui/cn"
import { IconButton, Opener } from "@/components/ui/button"
import { useIntent } from "@/components/ui/intent"
import { useStay } from "@/components/ui/leaving"

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

type ModalProps = {
  labelledBy: string
  describedBy?: string
  /** An alert asks for an answer: a press beside it does not close it. */
  alert?: boolean
  /** Closes only by what is inside it, and closing the tab asks first: what it shows would be lost. */
  locked?: boolean
  onClose: () => void
  className?: string
  children: ReactNode
}

/**
 * The browser's own modal dialog: it keeps the focus inside, makes the rest inert, closes with Escape and gives the
 * focus back, at no cost in script. Mount it to open it.
 */
export function Modal({ labelledBy, describedBy, alert, locked, onClose, className, children }: ModalProps) {
  const element = useRef<HTMLDialogElement>(null)
  // A press that marks text inside may end beside the dialog.
  const pressedBeside = useRef(false)
  useStay(Boolean(locked))
  useLayoutEffect(() => {
    const dialog = element.current
    if (!dialog) return
    dialog.showModal()
    focusFirstField(dialog, Boolean(alert))
    return () => dialog.close()
  }, [alert])

  function onClick(event: MouseEvent<HTMLDialogElement>) {
    event.stopPropagation()
    if (!alert && !locked && pressedBeside.current && event.target === event.currentTarget) onClose()
  }

  /** Closes at once: the browser's own event comes a moment later, when a fast hand may have opened the next dialog. */
  function onCancel(event: SyntheticEvent<HTMLDialogElement>) {
    // A file picker inside tells its own.
    if (event.target !== event.currentTarget) return
    event.preventDefault()
    if (!locked) onClose()
  }

  return (
    <dialog
      ref={element}
      tabIndex={-1}
      role={alert ? "alertdialog" : undefined}
      aria-labelledby={labelledBy}
      aria-describedby={describedBy}
      onPointerDown={(event) => (pressedBeside.current = event.target === event.currentTarget)}
      onClick={onClick}
      onCancel={onCancel}
      // The event comes late: in between, React's strict mode may have opened the dialog again.
      onClose={(event) => {
        if (event.target !== event.currentTarget || event.currentTarget.open) return
        // Browsers let a second Escape through.
        if (locked) event.currentTarget.showModal()
        else onClose()
      }}
      className={cn(
        "mx-auto mt-[min(10vh,5rem)] mb-auto max-h-[calc(90dvh-1rem)] w-[calc(100%-2rem)] animate-appear overflow-y-auto rounded-lg",
        "border border-line bg-panel text-left text-base font-normal whitespace-normal text-text shadow-float backdrop:animate-appear",
        "outline-hidden backdrop:bg-veil",
        className,
      )}
    >
      {children}
    </dialog>
  )
}

/**
 * A form is ready to be typed into. What is only read takes the focus itself, since the browser would put it on the
 * button that closes; of an alert the browser's choice, its first answer, is right.
 */
function focusFirstField(dialog: HTMLElement, alert: boolean) {
  const field = "input:not([type=hidden], [readonly], :disabled), textarea:not(:disabled), select:not(:disabled)"
  const first = dialog.querySelector<HTMLElement>(field)
  if (first ?? !alert) (first ?? dialog).focus()
}

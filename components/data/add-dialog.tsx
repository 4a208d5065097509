"use client"

import { Plus } from "lucide-react"
import { Suspense, useState, type ComponentProps, type ReactNode } from "react"
import { Button } from "@/components/ui/button"
import { Dialog, DialogClose, DialogFooter } from "@/components/ui/dialog"
import { Skeleton } from "@/components/ui/loading"

/** The dialogs that can be asked for from elsewhere: by the palette, or in the address. */
export type DialogName =
  | "add-domain"
  | "create-api-key"
  | "add-contact"
  | "create-route"
  | "create-template"
  | "create-topic"
  | "define-property"
  | "suppress-address"
  | "invite-member"

type AddDialogProps = Omit<ComponentProps<typeof Dialog>, "trigger" | "title" | "children"> & {
  /** Verb and object: what the button says, and the dialog unless it has a title. */
  action: string
  /** Instead of the main button of a page; null for none. */
  button?: ComponentProps<typeof Button> | null
  title?: string
  /** Loads the code of the form, which is not needed before the pointer or the focus is on the button. */
  load?: () => Promise<unknown>
  /** Tailwind's h-*: about the form's height. */
  height?: string
  intent?: DialogName
  children: (close: () => void) => ReactNode
}

const mainButton = { variant: "primary", icon: <Plus /> } as const

/** A button, by default the main one of its page, and the dialog with a form that it opens. */
export function AddDialog({
  action,
  button = mainButton,
  title = action,
  load,
  height = "h-56",
  open,
  onOpenChange,
  children,
  ...dialog
}: AddDialogProps) {
  const [own, setOwn] = useState(false)
  function change(next: boolean) {
    setOwn(next)
    onOpenChange?.(next)
  }
  const near = load && (() => void load())
  return (
    <Dialog
      {...dialog}
      open={open ?? own}
      onOpenChange={change}
      title={title}
      trigger={
        button ? (
          <Button {...button} onPointerEnter={near} onFocus={near}>
            {action}
          </Button>
        ) : undefined
      }
    >
      <Suspense fallback={<Skeleton className={height} />}>{children(() => change(false))}</Suspense>
    </Dialog>
  )
}

type FormFooterProps = {
  /** What sending the form does, as on its button. */
  action: string
  saving: boolean
}

/** The end of a form in a dialog: what it does, and the way out. */
export function FormFooter({ action, saving }: FormFooterProps) {
  return (
    <DialogFooter>
      <Button type="submit" variant="primary" loading={saving}>
        {action}
      </Button>
      <DialogClose>
        <Button>Cancel</Button>
      </DialogClose>
    </DialogFooter>
  )
}

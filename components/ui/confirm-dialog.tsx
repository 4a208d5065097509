"use client"

import { AlertDialog as Primitive } from "radix-ui"
import { useState, type FormEvent, type ReactNode } from "react"
import { Button } from "./button"
import { cn } from "./cn"
import { veilStyle, windowStyle } from "./dialog-style"
import { Field } from "./field"
import { Input } from "./input"

type ConfirmDialogProps = {
  trigger?: ReactNode
  open?: boolean
  onOpenChange?: (open: boolean) => void
  /** A question that names the thing: "Delete acme.com?" */
  title: ReactNode
  /** Names what is lost, and what stays. */
  children: ReactNode
  /** The verb on the button: "Delete domain". */
  action: string
  /** Must be typed first, where the act cannot be undone. */
  typeName?: string
  /** Closes when it resolves; stays open and shows the message when it throws. */
  onConfirm: () => Promise<void> | void
  tone?: "danger" | "primary"
}

export function ConfirmDialog({ trigger, open, onOpenChange, ...rest }: ConfirmDialogProps) {
  const [own, setOwn] = useState(false)
  const shown = open ?? own
  function change(next: boolean) {
    setOwn(next)
    onOpenChange?.(next)
  }

  return (
    <Primitive.Root open={shown} onOpenChange={change}>
      {trigger ? <Primitive.Trigger asChild>{trigger}</Primitive.Trigger> : null}
      <Primitive.Portal>
        <Primitive.Overlay className={veilStyle}>
          <Primitive.Content className={cn(windowStyle, "max-w-115")}>
            <Question {...rest} close={() => change(false)} />
          </Primitive.Content>
        </Primitive.Overlay>
      </Primitive.Portal>
    </Primitive.Root>
  )
}

type QuestionProps = Omit<ConfirmDialogProps, "trigger" | "open" | "onOpenChange"> & { close: () => void }

function Question({ title, children, action, typeName, onConfirm, tone = "danger", close }: QuestionProps) {
  const [typed, setTyped] = useState("")
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState<string>()
  const locked = typeName !== undefined && typed.trim() !== typeName

  async function submit(event: FormEvent) {
    event.preventDefault()
    event.stopPropagation()
    if (locked || busy) return
    setBusy(true)
    setFault(undefined)
    try {
      await onConfirm()
      close()
    } catch (error) {
      setFault(error instanceof Error ? error.message : "It did not work. Nothing was changed.")
    } finally {
      setBusy(false)
    }
  }

  return (
    <form onSubmit={submit}>
      <div className="p-5">
        <Primitive.Title className="text-lg font-semibold [overflow-wrap:anywhere]">{title}</Primitive.Title>
        <Primitive.Description asChild>
          <div className="mt-1 text-muted [overflow-wrap:anywhere]">{children}</div>
        </Primitive.Description>
        {typeName ? (
          <Field className="mt-4" label={<>Type <code className="font-medium select-all">{typeName}</code> to confirm</>}>
            <Input value={typed} onChange={(event) => setTyped(event.target.value)} autoComplete="off" spellCheck={false} />
          </Field>
        ) : null}
        {fault ? <p role="alert" className="mt-3 text-sm text-bad">{fault}</p> : null}
      </div>
      <footer className="flex flex-wrap justify-end gap-2 border-t border-line px-5 py-3">
        <Primitive.Cancel asChild>
          <Button>Cancel</Button>
        </Primitive.Cancel>
        <Button type="submit" variant={tone} loading={busy} disabled={locked}>{action}</Button>
      </footer>
    </form>
  )
}

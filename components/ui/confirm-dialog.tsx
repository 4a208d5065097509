"use client"

import { useId, useState, type FormEvent, type ReactNode } from "react"
import { Button } from "@/components/ui/button"
import { Field } from "@/components/ui/field"
import { Input } from "@/components/ui/input"
import { Modal } from "@/components/ui/modal"
import { Opener } from "@/components/ui/opener"

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
  const id = useId()
  const [own, setOwn] = useState(false)
  function change(next: boolean) {
    setOwn(next)
    onOpenChange?.(next)
  }

  return (
    <>
      {trigger ? <Opener onOpen={() => change(true)}>{trigger}</Opener> : null}
      {(open ?? own) ? (
        <Modal
          alert
          labelledBy={`${id}-title`}
          describedBy={`${id}-loss`}
          onClose={() => change(false)}
          className="max-w-115"
        >
          <Question {...rest} id={id} close={() => change(false)} />
        </Modal>
      ) : null}
    </>
  )
}

type QuestionProps = Omit<ConfirmDialogProps, "trigger" | "open" | "onOpenChange"> & { id: string; close: () => void }

function Question({ title, children, action, typeName, onConfirm, tone = "danger", id, close }: QuestionProps) {
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
        <h2 id={`${id}-title`} className="text-lg font-semibold [overflow-wrap:anywhere]">
          {title}
        </h2>
        <div id={`${id}-loss`} className="mt-1 text-muted [overflow-wrap:anywhere]">
          {children}
        </div>
        {typeName ? (
          <Field
            className="mt-4"
            label={
              <>
                Type <code className="font-medium select-all">{typeName}</code> to confirm
              </>
            }
          >
            <Input
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
              autoComplete="off"
              spellCheck={false}
            />
          </Field>
        ) : null}
        {fault ? (
          <p role="alert" className="mt-3 text-sm text-bad">
            {fault}
          </p>
        ) : null}
      </div>
      <footer className="flex flex-wrap justify-end gap-2 border-t border-line px-5 py-3">
        <Button onClick={close}>Cancel</Button>
        <Button type="submit" variant={tone} loading={busy} disabled={locked}>
          {action}
        </Button>
      </footer>
    </form>
  )
}

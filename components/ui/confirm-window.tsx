"use client"

import { useId, useState, type FormEvent, type ReactNode } from "react"
import { Button } from "@/components/ui/button"
import { Field } from "@/components/ui/field"
import { Input } from "@/components/ui/input"
import { Modal } from "@/components/ui/dialog"

export type Question = {
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
  /** A second way on, between Cancel and the action. */
  otherwise?: { action: string; onConfirm: () => void }
  tone?: "danger" | "primary"
}

/** The open dialog; loaded when it is about to be needed. */
export default function ConfirmWindow({ onClose, ...rest }: Question & { onClose: () => void }) {
  const id = useId()
  return (
    <Modal alert labelledBy={`${id}-title`} describedBy={`${id}-loss`} onClose={onClose} className="max-w-115">
      <QuestionForm {...rest} id={id} close={onClose} />
    </Modal>
  )
}

/** A name as a page shows it and a keyboard types it: runs of spaces are one, and accents are parts of their letters. */
function asRead(name: string): string {
  return name.normalize("NFC").replaceAll(/\s+/g, " ").trim()
}

type QuestionFormProps = Question & { id: string; close: () => void }

function QuestionForm({ id, close, ...question }: QuestionFormProps) {
  const { title, children, action, typeName, onConfirm, otherwise, tone = "danger" } = question
  const [typed, setTyped] = useState("")
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState<string>()
  const locked = typeName !== undefined && asRead(typed) !== asRead(typeName)

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
      setFault(error instanceof Error ? error.message : "Something went wrong. Nothing was changed.")
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
        {otherwise ? (
          <Button disabled={busy} onClick={otherwise.onConfirm}>
            {otherwise.action}
          </Button>
        ) : null}
        <Button type="submit" variant={tone} loading={busy} disabled={locked}>
          {action}
        </Button>
      </footer>
    </form>
  )
}

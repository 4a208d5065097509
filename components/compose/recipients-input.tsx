"use client"

import { lazy, Suspense, useRef, useState, type ClipboardEvent, type KeyboardEvent } from "react"
import { audienceIn, entriesOf, isFinished, joined, pasted, withMore } from "@/components/compose/addresses"
import type { CheckedRecipient } from "@/components/compose/check"
import type { Picker } from "@/components/compose/recipient-entry"
import { cn } from "@/components/ui/cn"
import { useFieldControl } from "@/components/ui/field"
import { controlStyle } from "@/components/ui/input"

// A new email has no recipients yet: both come when the field is used.
const loadEntry = () => import("@/components/compose/recipient-entry")
const RecipientChip = lazy(() => loadEntry().then((module) => ({ default: module.RecipientChip })))
const Suggestions = lazy(() => loadEntry().then((module) => ({ default: module.Suggestions })))

type RecipientsInputProps = {
  projectId: string
  value: string
  onChange: (value: string) => void
  recipients: CheckedRecipient[]
  /** Segments and topics, where these may be chosen. */
  audiences?: { id: string; name: string; kind: string }[]
  autoFocus?: boolean
}

/** Recipients as chips behind which the next is typed, with contacts suggested. */
export function RecipientsInput({
  projectId,
  value,
  onChange,
  recipients,
  audiences = [],
  autoFocus,
}: RecipientsInputProps) {
  const wired = useFieldControl({})
  const [text, setText] = useState("")
  const [open, setOpen] = useState(false)
  const box = useRef<HTMLDivElement>(null)
  const input = useRef<HTMLInputElement>(null)
  const picker = useRef<Picker>(null)
  const { done, typed } = entriesOf(value, text)
  const audience = audienceIn(value)
  const known = new Map(recipients.map((recipient) => [recipient.address, recipient]))

  function change(entries: readonly string[], rest = "") {
    setText(rest)
    onChange(joined({ done: [...entries], typed: rest }))
  }
  function finish(more: readonly string[] = [typed.trim()].filter(Boolean)) {
    change(withMore(done, more))
    setOpen(false)
  }
  function remove(at: number) {
    change(
      done.filter((_, index) => index !== at),
      typed,
    )
    input.current?.focus()
  }
  function focusChip(at: number) {
    const chip = box.current?.querySelectorAll<HTMLElement>("[data-chip]")[at]
    ;(chip ?? input.current)?.focus()
  }

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>) {
    const { key, currentTarget } = event
    if (event.nativeEvent.isComposing) return
    if (open && picker.current?.move(key)) return event.preventDefault()
    if (key === "Escape" && open) {
      event.preventDefault()
      return setOpen(false)
    }
    const atStart = currentTarget.selectionStart === 0 && currentTarget.selectionEnd === 0
    if (atStart && (key === "ArrowLeft" || (key === "Backspace" && typed === ""))) {
      event.preventDefault()
      return focusChip(done.length - 1)
    }
    const ends = key === "Enter" || key === "," || key === ";" || key === "Tab"
    if (!ends || event.ctrlKey || event.metaKey) return
    const picked = open ? picker.current?.pick(isFinished(typed)) : undefined
    // A comma belongs to a name that is still in its quotes.
    const quoted = (typed.match(/"/g)?.length ?? 0) % 2 === 1
    if (quoted && key !== "Enter" && key !== "Tab") return
    if (key !== "Tab" || (picked && !event.shiftKey)) event.preventDefault()
    if (picked || typed.trim()) finish(picked ? [picked] : undefined)
  }
  function onChipKey(event: KeyboardEvent, at: number) {
    const act = {
      ArrowLeft: () => focusChip(Math.max(0, at - 1)),
      ArrowRight: () => focusChip(at + 1),
      Home: () => focusChip(0),
      End: () => input.current?.focus(),
      Backspace: () => remove(at),
      Delete: () => remove(at),
      Enter: () => edit(at),
    }[event.key]
    if (!act) return
    event.preventDefault()
    act()
  }
  function edit(at: number) {
    if (audience) return
    change(withMore(done.toSpliced(at, 1), [typed.trim()].filter(Boolean)), done[at])
    input.current?.focus()
  }
  function onPaste(event: ClipboardEvent) {
    const entries = pasted(event.clipboardData.getData("text"))
    if (typed || (entries.length < 2 && !isFinished(entries[0] ?? ""))) return
    event.preventDefault()
    finish(entries)
  }

  return (
    <div ref={box} className="relative">
      <div
        className={cn(
          controlStyle,
          "flex min-h-8 cursor-text flex-wrap items-center gap-1 px-1 py-0.5 has-[input:focus-visible]:border-accent has-[input:focus-visible]:outline-2 has-[input:focus-visible]:outline-accent",
          wired["aria-invalid"] && "border-bad",
        )}
        onClick={({ target, currentTarget }) => target === currentTarget && input.current?.focus()}
      >
        <ul className="contents">
          {done.map((entry, at) => (
            <Suspense key={`${at} ${entry}`} fallback={<li className="px-2">{entry}</li>}>
              <RecipientChip
                entry={entry}
                audience={audience ? (audiences.find(({ id }) => id === audience)?.name ?? audience) : undefined}
                recipient={known.get(entry)}
                onKeyDown={(event) => onChipKey(event, at)}
                onEdit={() => edit(at)}
                onRemove={() => remove(at)}
              />
            </Suspense>
          ))}
        </ul>
        <input
          ref={input}
          {...wired}
          autoFocus={autoFocus}
          role="combobox"
          aria-autocomplete="list"
          aria-expanded={open}
          aria-controls={`${wired.id}-suggestions`}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          readOnly={audience !== null}
          value={typed}
          onChange={({ target }) => {
            change(done, target.value)
            setOpen(target.value.trim() !== "")
          }}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
          onFocus={() => void loadEntry()}
          onBlur={() => (typed.trim() ? finish() : setOpen(false))}
          className="h-6 min-w-32 flex-1 bg-transparent px-1.5 text-base outline-hidden"
        />
      </div>
      {open && typed.trim() ? (
        <Suspense>
          <Suggestions
            id={`${wired.id}-suggestions`}
            projectId={projectId}
            typed={typed.trim()}
            left={done}
            audiences={done.length ? [] : audiences}
            picker={picker}
            input={input}
            onPick={(entry) => finish([entry])}
          />
        </Suspense>
      ) : null}
    </div>
  )
}

"use client"

import { X, Hash, ListFilter, User } from "lucide-react"
import { type KeyboardEvent, useEffect, useImperativeHandle, useState, type Ref, type RefObject } from "react"
import type { CheckedRecipient } from "@/components/compose/check"
import { addressWithoutName, nameOf } from "@/components/emails/address"
import { cn } from "@/components/ui/cn"
import { Tooltip } from "@/components/ui/tooltip"
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { query } from "@/components/data/query"
import { named } from "@/components/compose/addresses"
import { useSettled } from "@/components/ui/input"

type RecipientChipProps = {
  entry: string
  /** Of a segment or topic. */
  audience?: string | undefined
  recipient?: CheckedRecipient | undefined
  onKeyDown: (event: KeyboardEvent<HTMLElement>) => void
  onEdit: () => void
  onRemove: () => void
}

/** One recipient with its state in a send. Arrow keys focus it, Enter edits it, Backspace removes it. */
export function RecipientChip({ entry, audience, recipient, onKeyDown, onEdit, onRemove }: RecipientChipProps) {
  const name = audience ?? nameOf(entry)
  const { word, why, style } = stateOf(recipient)
  const chip = (
    <button
      type="button"
      data-chip
      tabIndex={-1}
      onKeyDown={onKeyDown}
      onDoubleClick={onEdit}
      className="min-w-0 rounded-sm py-0.5 pl-2 text-left [overflow-wrap:anywhere] -outline-offset-1 focus:outline-2 focus:outline-accent"
    >
      {name ? <span className="mr-1.5">{name}</span> : null}
      {audience ? null : <span className={cn(name && "text-muted")}>{addressWithoutName(entry)}</span>}
      {word ? (
        <span className="ml-1.5 font-medium whitespace-nowrap">
          {word}
          <span className="sr-only">. {why}</span>
        </span>
      ) : null}
    </button>
  )
  return (
    <li className={cn("flex max-w-full items-center rounded-md border", style)}>
      {why ? (
        <Tooltip text={why} names>
          {chip}
        </Tooltip>
      ) : (
        chip
      )}
      <button
        type="button"
        tabIndex={-1}
        aria-label={`Remove ${name || addressWithoutName(entry)}`}
        onClick={onRemove}
        className="grid size-6 shrink-0 place-items-center rounded-sm text-muted hover:text-text [&_svg]:size-3.5"
      >
        <X />
      </button>
    </li>
  )
}

function stateOf(recipient: CheckedRecipient | undefined): { word?: string; why?: string | undefined; style: string } {
  if (recipient?.state === "invalid")
    return { word: "Not an address", why: recipient.reason, style: "border-bad bg-bad-soft text-bad" }
  if (recipient?.state !== "suppressed") return { style: "border-line-strong" }
  const { reason = "", detail } = recipient
  const why = detail ? `${detail}. Nothing will be sent.` : suppressedWhy[reason]
  return { word: "Suppressed", why, style: "border-transparent bg-warn-soft text-warn" }
}

const suppressedWhy: Record<string, string> = {
  bounce: "An earlier email bounced there. Nothing will be sent.",
  complaint: "They marked an earlier email as spam. Nothing will be sent.",
  unsubscribe: "They unsubscribed. Nothing will be sent.",
  manual: "A member of this project added it to the suppression list. Nothing will be sent.",
  simulator: "This simulator address is always treated as suppressed.",
}

/** What the field with the focus asks of its suggestions. */
export type Picker = {
  /** Whether the key moved the choice. */
  move: (key: string) => boolean
  /** What Enter takes: the chosen one, or the first unless the text is an address as it is. */
  pick: (finished: boolean) => string | undefined
}

type Suggestion = { entry: string; title: string; about: string; kind: "Contact" | "Segment" | "Topic" }

type SuggestionsProps = {
  id: string
  projectId: string
  typed: string
  /** Entries that are there already. */
  left: readonly string[]
  audiences: { id: string; name: string; kind: string }[]
  picker: Ref<Picker>
  input: RefObject<HTMLInputElement | null>
  onPick: (entry: string) => void
}

const pauseMs = 150
const most = 6

/** Contacts, and where they may be chosen segments and topics, whose name or address holds what is typed. */
export function Suggestions({ id, projectId, typed, left, audiences, picker, input, onPick }: SuggestionsProps) {
  const contacts = useContacts(projectId, typed)
  const there = new Set(left.map((entry) => addressWithoutName(entry).toLowerCase()))
  const suggestions: Suggestion[] = [
    ...contacts
      .filter(({ email }) => !there.has(email.toLowerCase()))
      .map(({ email, firstName = "", lastName = "" }) => {
        const name = `${firstName} ${lastName}`.trim()
        return { entry: named(name, email), title: name || email, about: name ? email : "", kind: "Contact" as const }
      }),
    ...audiences
      .filter(({ name }) => name.toLowerCase().includes(typed.toLowerCase()))
      .slice(0, most)
      .map(({ id, name, kind }) => ({ entry: id, title: name, about: kind, kind: kind as Suggestion["kind"] })),
  ]
  const [wanted, setWanted] = useState<string | null>(null)
  const at = suggestions.findIndex(({ entry }) => entry === wanted)

  useImperativeHandle(picker, () => ({
    move(key) {
      const to = { ArrowDown: at + 1, ArrowUp: at < 0 ? suggestions.length - 1 : at - 1 }[key]
      if (to === undefined || suggestions.length === 0) return false
      setWanted(suggestions[to]?.entry ?? null)
      return true
    },
    pick: (finished) => (at >= 0 || !finished ? suggestions[Math.max(0, at)]?.entry : undefined),
  }))
  useEffect(() => {
    const field = input.current
    if (at >= 0) field?.setAttribute("aria-activedescendant", `${id}-${at}`)
    return () => field?.removeAttribute("aria-activedescendant")
  }, [at, id, input])

  return (
    <ul
      id={id}
      role="listbox"
      aria-label="Suggestions"
      hidden={suggestions.length === 0}
      className="absolute inset-x-0 top-full z-20 mt-1 rounded-lg border border-line-strong bg-panel p-1 shadow-float"
    >
      {suggestions.map(({ entry, title, about, kind }, index) => (
        <li
          key={entry}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === at}
          // The field keeps the focus.
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => onPick(entry)}
          className={cn(
            "flex min-h-8 cursor-pointer items-center gap-2 rounded-md px-2 py-1 hover:bg-sunken [&_svg]:size-4 [&_svg]:shrink-0 [&_svg]:text-muted",
            index === at && "bg-wait-soft",
          )}
        >
          {icons[kind]}
          <span className="min-w-0 [overflow-wrap:anywhere]">
            {title} <span className="text-muted">{about}</span>
          </span>
        </li>
      ))}
    </ul>
  )
}

const icons = { Contact: <User />, Segment: <ListFilter />, Topic: <Hash /> }

/** Contacts that hold these words; none of an earlier text. */
function useContacts(projectId: string, typed: string) {
  const asked = useSettled(typed, pauseMs)
  const { data, isPlaceholderData } = useQuery({
    ...query("GET /v1/projects/{projectId}/contacts", {
      params: { projectId },
      query: { size: most, search: asked.slice(0, 100) },
    }),
    placeholderData: keepPreviousData,
  })
  const holds = ({ email, firstName, lastName }: { email: string; firstName?: string; lastName?: string }) =>
    `${firstName ?? ""} ${lastName ?? ""} ${email}`.toLowerCase().includes(typed.toLowerCase())
  const contacts = data?.data ?? []
  return (isPlaceholderData || asked !== typed ? contacts.filter(holds) : contacts).slice(0, most)
}

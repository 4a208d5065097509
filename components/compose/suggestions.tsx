"use client"

import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { Hash, ListFilter, User } from "lucide-react"
import { useEffect, useImperativeHandle, useState, type Ref, type RefObject } from "react"
import { query } from "@/components/data/query"
import { named } from "@/components/compose/addresses"
import { addressWithoutName } from "@/components/emails/address"
import { useSettled } from "@/components/segments/use-settled"
import { cn } from "@/components/ui/cn"

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

"use client"

import type { ExactPreview } from "@/components/compose/exact-preview"
import { Select } from "@/components/ui/select"

type PersonChoiceProps = {
  shown: Pick<NonNullable<ExactPreview["shown"]>, "person" | "people">
  person: string
  onPerson: (contactId: string) => void
}

/** For whom it is shown, among the first of the audience. */
export function PersonChoice({ shown, person, onPerson }: PersonChoiceProps) {
  const people = shown.people.flatMap(({ contactId, email }) => (contactId ? [{ value: contactId, label: email }] : []))
  if (people.length === 0) return null
  return (
    <label className="flex items-center gap-3 border-b border-line px-4 py-2.5">
      <span className="text-sm text-muted">Person</span>
      <Select
        value={person || (shown.person?.contactId ?? "")}
        options={people}
        onChange={({ target }) => onPerson(target.value)}
      />
    </label>
  )
}

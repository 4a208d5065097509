"use client"

import { useState, type ChangeEvent, type FormEvent } from "react"
import { faultsOf, type Faults } from "@/components/api/problem"

type Rules<Name extends string> = Partial<Record<Name, (value: string) => string | undefined>>

/**
 * A form of a few text fields that stands on a page from the start: react-hook-form, which the dialogs load with
 * themselves, would be 14 kB more of its first load. Names are those of the body's pointers, joined by dots
 * (`limits.dailySends`); what `initial` brings later shows in every field that is not changed.
 */
export function useFields<Name extends string>(initial: Readonly<Record<Name, string>>, rules: Rules<Name> = {}) {
  const [changes, setChanges] = useState<Partial<Record<Name, string>>>({})
  const [faults, setFaults] = useState<Faults>(none)
  const [saving, setSaving] = useState(false)
  const values: Record<Name, string> = { ...initial, ...changes }
  const names = Object.keys(initial) as Name[]

  return {
    dirty: names.some((name) => values[name] !== initial[name]),
    saving,
    /** What was refused and has no field of its own. */
    fault: faults.root,
    faultOf: (name: Name) => faults.fields[name],
    reset: () => {
      setChanges({})
      setFaults(none)
    },
    register: (name: Name) => ({
      name,
      value: values[name],
      onChange: (event: ChangeEvent<HTMLInputElement>) => {
        setChanges({ ...changes, [name]: event.target.value })
        setFaults({ ...faults, fields: { ...faults.fields, [name]: undefined } })
      },
    }),
    /** Checks, then saves; what either refuses stands on its field, and the first of them has the focus. */
    submit: (save: (values: Record<Name, string>) => Promise<void>) => async (event: FormEvent<HTMLFormElement>) => {
      event.preventDefault()
      const form = event.currentTarget
      const wrong = names.flatMap((name) => {
        const detail = rules[name]?.(values[name])
        return detail ? [[name, detail] as const] : []
      })
      setSaving(true)
      const found =
        wrong.length > 0 ? { fields: Object.fromEntries(wrong) } : await refusalOf(() => save(values), names)
      setSaving(false)
      setFaults(found)
      const first = names.find((name) => found.fields[name])
      if (first) (form.elements.namedItem(first) as HTMLElement | null)?.focus()
      else if (!found.root) setChanges({})
    },
  }
}

const none: Faults = { fields: {} }

async function refusalOf(save: () => Promise<void>, names: readonly string[]): Promise<Faults> {
  try {
    await save()
    return none
  } catch (error) {
    return faultsOf(error, names)
  }
}

"use client"

import { useQuery } from "@tanstack/react-query"
import { Braces } from "lucide-react"
import type { RefObject } from "react"
import { contactFields, placeholderOf } from "@/components/compose/placeholders"
import { propertiesQuery } from "@/components/segments/queries"
import { Button } from "@/components/ui/button"
import { Menu, MenuItem, MenuLabel } from "@/components/ui/menu"

type InsertFieldProps = {
  projectId: string
  /** The control in which a placeholder is put, in place of what is selected there. */
  into: RefObject<HTMLInputElement | HTMLTextAreaElement | null>
  /** Names what it is put into. */
  label: string
}

/** Puts a field or property of the recipient into a text. */
export function InsertField({ projectId, into, label }: InsertFieldProps) {
  const properties = useQuery(propertiesQuery(projectId)).data?.data ?? []
  async function insert(key: string, fallback: string) {
    const { applyEdit } = await import("@/components/compose/write-marks")
    const control = into.current
    if (!control) return
    const [from, to] = [control.selectionStart ?? control.value.length, control.selectionEnd ?? control.value.length]
    const { text, ...range } = placeholderOf(key, fallback)
    applyEdit(control, { from, to, text, select: [from + range.from, from + range.to] })
  }
  return (
    <Menu
      align="start"
      trigger={
        <Button size="small" variant="ghost" icon={<Braces />} aria-label={label}>
          Insert field
        </Button>
      }
    >
      <MenuLabel>Of each recipient</MenuLabel>
      {contactFields.map(({ key, label: words, fallback }) => (
        <MenuItem key={key} onSelect={() => void insert(key, fallback)}>
          {words}
        </MenuItem>
      ))}
      {properties.length > 0 ? <MenuLabel>Properties</MenuLabel> : null}
      {properties.map(({ key, fallbackValue }) => (
        <MenuItem
          key={key}
          aside={fallbackValue ? <span className="text-muted">or {fallbackValue}</span> : undefined}
          onSelect={() => void insert(key, "")}
        >
          {key}
        </MenuItem>
      ))}
    </Menu>
  )
}

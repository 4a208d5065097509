"use client"

import { type ComponentProps, useState } from "react"
import { type Control, Controller, type Path } from "react-hook-form"
import { Field } from "@/components/ui/field"
import { Textarea } from "@/components/ui/input"

export type Restrictions = { allowedAddresses: string[] | null; allowedDomains: string[] | null }

type RestrictionFieldsProps<Values extends Restrictions> = { control: Control<Values> }

/** Where a key works from and which domains it sends from: one entry a line, and without any nothing is restricted. */
export function RestrictionFields<Values extends Restrictions>({ control }: RestrictionFieldsProps<Values>) {
  return (
    <>
      <Lines
        control={control}
        name={"allowedAddresses" as LinesProps<Values>["name"]}
        label="Client addresses"
        hint="IPv4 or IPv6 addresses or networks, such as 203.0.113.0/24, one a line. Empty: the key works from everywhere."
      />
      <Lines
        control={control}
        name={"allowedDomains" as LinesProps<Values>["name"]}
        label="Sending domains"
        hint="Domains of this project, one a line; a subdomain is one of its own. Empty: the key sends from all of them."
      />
    </>
  )
}

type LinesProps<Values extends Restrictions> = RestrictionFieldsProps<Values> & {
  name: keyof Restrictions & Path<Values>
  label: string
  hint: string
}

function Lines<Values extends Restrictions>({ control, name, label, hint }: LinesProps<Values>) {
  return (
    <Controller
      control={control}
      name={name}
      render={({ field: { value, onChange, onBlur, ref }, fieldState: { error } }) => (
        <Field label={label} hint={hint} error={error?.message}>
          <LinesInput initial={value} onLines={onChange} onBlur={onBlur} ref={ref} />
        </Field>
      )}
    />
  )
}

type LinesInputProps = Pick<ComponentProps<typeof Textarea>, "onBlur" | "ref"> & {
  initial: string[] | null
  onLines: (lines: string[] | null) => void
}

function LinesInput({ initial, onLines, ...rest }: LinesInputProps) {
  const [text, setText] = useState(() => (initial ?? []).join("\n"))
  function change(next: string) {
    setText(next)
    const lines = next.split(/[\s,;]+/).filter(Boolean)
    onLines(lines.length ? lines : null)
  }
  return (
    <Textarea
      mono
      rows={3}
      spellCheck={false}
      autoComplete="off"
      value={text}
      onChange={({ target }) => change(target.value)}
      {...rest}
    />
  )
}

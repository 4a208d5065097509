"use client"

import { useId } from "react"
import { Checkbox } from "@/components/ui/checkbox"
import type { WebhookEvent } from "@/lib/webhooks/rules"
import { eventGroups } from "@/components/webhooks/event-words"

type EventPickerProps = {
  value: readonly WebhookEvent[]
  onChange: (value: WebhookEvent[]) => void
  error?: string | undefined
}

/** Event types by area; the box of an area takes all of it. */
export function EventPicker({ value, onChange, error }: EventPickerProps) {
  const id = useId()
  const change = (types: readonly WebhookEvent[], on: boolean) =>
    onChange(on ? [...new Set([...value, ...types])] : value.filter((one) => !types.includes(one)))
  return (
    <fieldset className="min-w-0" aria-describedby={error ? id : undefined}>
      <legend className="sr-only">Events</legend>
      <div className="divide-y divide-line rounded-md border border-line">
        {eventGroups.map(({ area, events }) => {
          const types = events.map(({ type }) => type)
          const chosen = types.filter((type) => value.includes(type)).length
          return (
            <div key={area} role="group" aria-label={area} className="px-3 py-2.5">
              <Checkbox
                label={
                  <>
                    <span className="font-medium">{area}</span>
                    <span className="ml-2 text-muted tabular-nums">
                      {chosen} of {types.length}
                    </span>
                  </>
                }
                checked={chosen === types.length}
                indeterminate={chosen > 0 && chosen < types.length}
                onChange={({ target }) => change(types, target.checked)}
              />
              <div className="mt-2 grid gap-x-4 gap-y-2 pl-6 sm:grid-cols-2">
                {events.map(({ type, what }) => (
                  <Checkbox
                    key={type}
                    label={<code>{type}</code>}
                    hint={what}
                    checked={value.includes(type)}
                    onChange={({ target }) => change([type], target.checked)}
                  />
                ))}
              </div>
            </div>
          )
        })}
      </div>
      {error ? (
        <p id={id} className="mt-1.5 text-sm text-bad">
          {error}
        </p>
      ) : null}
    </fieldset>
  )
}

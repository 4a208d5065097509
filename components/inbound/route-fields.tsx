"use client"

import type { ApiForm } from "@/components/data/use-api-form"
import { Field } from "@/components/ui/field"
import { Input } from "@/components/ui/input"
import { Select } from "@/components/ui/select"
import type { Webhook } from "@/components/webhooks/queries"

export type RouteValues = { match: string; webhookId?: string | null | undefined; keepDays: number }

type Name = keyof RouteValues

type RouteFieldsProps = {
  /** A form that has these fields, among others. */
  form: {
    input(
      name: Name,
      options?: { setValueAs: (text: string | null | undefined) => unknown },
    ): ReturnType<ApiForm<RouteValues>["input"]>
    faultOf(name: Name): string | undefined
  }
  webhooks: readonly Webhook[]
  /** The webhook that is stored, which may not be known yet, or not get the event any more. */
  stored?: string | undefined
  /** Where the webhook may be cleared, as in a stored route. */
  none?: null
}

/** What both a new and a stored route have. */
export function RouteFields({ form, webhooks, stored, none }: RouteFieldsProps) {
  const fitting = webhooks.filter(({ events }) => events.includes("email.received"))
  const silent = fitting.every(({ id }) => id !== stored) && stored
  return (
    <>
      <Field
        label="Address"
        error={form.faultOf("match")}
        hint="The part before the @: a name, prefix+* for all that begin so, or * for all addresses of the domain."
      >
        <Input
          mono
          autoComplete="off"
          spellCheck={false}
          maxLength={64}
          {...form.input("match", { setValueAs: (text) => text?.trim() })}
        />
      </Field>
      <Field
        label="Webhook"
        error={form.faultOf("webhookId")}
        hint={
          fitting.length > 0
            ? "Gets email.received with the text, the reply and what it answers."
            : "No webhook subscribes to email.received yet. Email is kept and shown here."
        }
      >
        <Select
          options={[
            { value: "", label: "None" },
            ...(silent
              ? [
                  {
                    value: silent,
                    label: silentLabel(
                      webhooks.find(({ id }) => id === silent),
                      silent,
                    ),
                  },
                ]
              : []),
            ...fitting.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          {...form.input("webhookId", { setValueAs: (text: string | null | undefined) => text || none })}
        />
      </Field>
      <Field
        label="Keep for (days)"
        error={form.faultOf("keepDays")}
        hint="1 to 365. Then the email and its text are deleted."
      >
        <Input
          type="number"
          min={1}
          max={365}
          inputMode="numeric"
          {...form.input("keepDays", { setValueAs: Number })}
        />
      </Field>
    </>
  )
}

function silentLabel(webhook: Webhook | undefined, id: string): string {
  return webhook ? `${webhook.name}, not subscribed to email.received` : id
}

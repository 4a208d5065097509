import { Pill } from "@/components/ui/pill"

type Named = { email: string; firstName?: string; lastName?: string }

/** First and last name; null where neither is known. */
export function fullName({ firstName, lastName }: Named): string | null {
  return [firstName, lastName].filter(Boolean).join(" ") || null
}

/** Whether mail may go there, as far as the contact has a say. */
export function StatePill({ unsubscribed, inTable }: { unsubscribed: boolean; inTable?: boolean }) {
  return unsubscribed ? (
    <Pill
      tone="wait"
      inTable={inTable}
      tip="No email of this project is sent to the contact until they are subscribed again."
    >
      Unsubscribed
    </Pill>
  ) : (
    <Pill tone="good" inTable={inTable} tip="Email is sent to the contact, unless the address is suppressed.">
      Subscribed
    </Pill>
  )
}

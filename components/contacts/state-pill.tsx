import { Pill } from "@/components/ui/pill"

/** Whether mail may go there, as far as the contact has a say. */
export function StatePill({ unsubscribed, inTable }: { unsubscribed: boolean; inTable?: boolean }) {
  return unsubscribed ? (
    <Pill
      tone="wait"
      inTable={inTable}
      tip="No mail of this project goes there until the contact is subscribed again."
    >
      Unsubscribed
    </Pill>
  ) : (
    <Pill
      tone="good"
      inTable={inTable}
      tip="Mail may go there, unless the address is suppressed for another reason."
    >
      Subscribed
    </Pill>
  )
}

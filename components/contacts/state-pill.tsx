import { Pill } from "@/components/ui/pill"

/** Whether mail may go there, as far as the contact has a say. */
export function StatePill({ unsubscribed, focusable }: { unsubscribed: boolean; focusable?: boolean }) {
  return unsubscribed ? (
    <Pill
      tone="wait"
      focusable={focusable}
      tip="No mail of this project goes there until the contact is subscribed again."
    >
      Unsubscribed
    </Pill>
  ) : (
    <Pill
      tone="good"
      focusable={focusable}
      tip="Mail may go there, unless the address is suppressed for another reason."
    >
      Subscribed
    </Pill>
  )
}

import { Pill } from "@/components/ui/pill"

export function defaultWords(defaultSubscription: string): { word: string; hint: string } {
  return defaultSubscription === "opt_in"
    ? { word: "Opted in", hint: "Contacts get it until they unsubscribe." }
    : { word: "Opted out", hint: "Contacts get it only after they subscribe." }
}

export function VisibilityPill({ visibility, inTable }: { visibility: string; inTable?: boolean }) {
  return visibility === "public" ? (
    <Pill tone="good" inTable={inTable} tip="Shown on the preference page of every recipient.">
      Public
    </Pill>
  ) : (
    <Pill inTable={inTable} tip="Shown only to people who receive this topic.">
      Private
    </Pill>
  )
}

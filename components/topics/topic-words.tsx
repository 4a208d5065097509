import { Pill } from "@/components/ui/pill"

export function defaultWords(defaultSubscription: string): { word: string; hint: string } {
  return defaultSubscription === "opt_in"
    ? { word: "Everybody is in", hint: "Contacts get it until they leave." }
    : { word: "Nobody is in", hint: "Contacts get it once they join." }
}

export function VisibilityPill({ visibility, focusable }: { visibility: string; focusable?: boolean }) {
  return visibility === "public" ? (
    <Pill tone="good" focusable={focusable} tip="Recipients see it on their preference page.">Public</Pill>
  ) : (
    <Pill focusable={focusable} tip="Recipients see it only behind a mail of this topic.">Private</Pill>
  )
}

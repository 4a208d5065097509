import { Pill } from "@/components/ui/pill"
import { statusWords } from "@/components/emails/status"

/** The state in a word; on hover what it means and what to do about it. */
export function EmailStatusPill({ status, inTable }: { status: string; inTable?: boolean }) {
  const { word, tone, means, todo } = statusWords(status)
  return (
    <Pill tone={tone} tip={`${means} ${todo}`.trim()} inTable={inTable}>
      {word}
    </Pill>
  )
}

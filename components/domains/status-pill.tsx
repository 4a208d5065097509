import { Pill } from "@/components/ui/pill"
import type { Words } from "@/components/domains/statuses"

/** A state in a word, with what it means and what to do about it on hover. */
export function DomainStatusPill({ words, inTable = false }: { words: Words; inTable?: boolean }) {
  return (
    <Pill tone={words.tone} tip={words.tip || undefined} inTable={inTable}>
      {words.word}
    </Pill>
  )
}

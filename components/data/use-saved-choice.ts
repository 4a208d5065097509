import { useRef, useState } from "react"

/**
 * For what is saved with the press: shows the choice at once, and saves one at a time. Of what is chosen meanwhile the last is saved
 * after it. `chosen` is undefined while what is stored holds; `choose` throws what `save` throws, and the choice is taken back.
 */
export function useSavedChoice<Choice>(save: (choice: Choice) => Promise<void>) {
  const [chosen, setChosen] = useState<Choice>()
  const wanted = useRef<Choice>(undefined)
  const busy = useRef(false)

  async function choose(next: (before: Choice | undefined) => Choice): Promise<void> {
    const choice = next(wanted.current)
    wanted.current = choice
    setChosen(() => choice)
    if (busy.current) return
    busy.current = true
    try {
      for (let sent: Choice | undefined; sent !== wanted.current;) {
        sent = wanted.current
        if (sent !== undefined) await save(sent)
      }
    } finally {
      busy.current = false
      wanted.current = undefined
      setChosen(undefined)
    }
  }
  return [chosen, choose] as const
}

import { useState } from "react"

/**
 * Which of several parts in a row the Tab key stops at: the last one, until another is chosen. It is kept by its key, because
 * another window of time has other parts at the same places.
 */
export function useStop(keys: readonly string[]): [index: number, choose: (key: string) => void] {
  const [chosen, choose] = useState<string>()
  const found = chosen === undefined ? -1 : keys.indexOf(chosen)
  return [found === -1 ? keys.length - 1 : found, choose]
}

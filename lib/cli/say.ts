/** A sentence for the person at the terminal; on stderr, because stdout belongs to results. */
export function say(sentence: string) {
  process.stderr.write(`${sentence}\n`)
}

/** The end of a command that could not do its work: the sentence, without a stack, and exit code 1. */
export function sayAndExit(error: unknown): never {
  say(error instanceof Error ? error.message : String(error))
  process.exit(1)
}

/** A sentence for the person at the terminal; on stderr, because stdout belongs to results. */
export function print(sentence: string) {
  if (process.stderr.writableLength < unreadBytesMax) process.stderr.write(`${sentence}\n`)
}

/** A terminal that has closed, or a full disk behind `2> file`, must not end the process that keeps all others alive. */
export function surviveTerminal() {
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined)
}

const unreadBytesMax = 2 ** 20

/** The end of a command that could not do its work: the sentence, without a stack, and exit code 1. */
export function printAndExit(error: unknown): never {
  print(error instanceof Error ? error.message : String(error))
  process.exit(1)
}

/** A sentence for the person at the terminal; on stderr, because stdout belongs to results. */
export function print(sentence: string) {
  if (process.stderr.writableLength < unreadBytesMax) process.stderr.write(`${asJson ? jsonOf(sentence) : sentence}\n`)
}

let asJson = false

/** From here on sentences are log entries, for a host whose logs a program collects. */
export function printJson() {
  asJson = true
}

function jsonOf(sentence: string): string {
  return JSON.stringify({
    level: "info",
    time: new Date().toISOString(),
    process: "supervisor",
    msg: sentence.trim(),
  })
}

/** A terminal that has closed, or a full disk behind `2> file`, must not end the process that keeps all others alive. */
export function surviveTerminal() {
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined)
}

/** What nobody reads in time is dropped, so that it does not fill the memory. */
export const unreadBytesMax = 2 ** 20

/** The end of a command that could not do its work: the sentence, without a stack, and exit code 1. */
export function printAndExit(error: unknown): never {
  print(error instanceof Error ? error.message : String(error))
  process.exit(1)
}

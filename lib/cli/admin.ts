import { closeDatabase } from "@/lib/platform/database/db"
import { log } from "@/lib/platform/log"
import { adminCommands } from "@/lib/cli/admin-commands"
import { Refusal } from "@/lib/cli/admin-arguments"
import { OlderDatabase, prepareInstallation } from "@/lib/server/processes/prepare"
import { print } from "@/lib/server/processes/print"

// stdout gets the one JSON object that callers parse; everything else goes to stderr.
log.level = "silent"
const { answer, code } = await answered(process.argv.slice(3))
process.stdout.write(`${JSON.stringify(answer)}\n`)
process.exitCode = code

async function answered([name = "", ...flags]: string[]): Promise<{ answer: unknown; code: number }> {
  try {
    const command = Object.hasOwn(adminCommands, name) ? adminCommands[name] : undefined
    if (!command) throw new Refusal("admin.unknown_command", `Use one of ${Object.keys(adminCommands).join(", ")}.`)
    const run = await command(flags)
    const { postgres } = await prepareInstallation(print, { migrates: false, claims: name !== "restore" })
    try {
      const done = await run()
      // The doctor's answer is whole even where the set-up is not ready.
      return { answer: done, code: done.ready === false ? 1 : 0 }
    } finally {
      await closeDatabase()
      await postgres?.close()
    }
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error)
    return { answer: { error: { code: codeOf(error), detail } }, code: 1 }
  }
}

function codeOf(error: unknown): string {
  if (error instanceof OlderDatabase) return "admin.database_older"
  return error instanceof Refusal ? error.code : "admin.failed"
}

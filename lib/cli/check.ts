import { checkLanes, unitTests } from "@/lib/cli/checks/check-steps"
import { printAndExit } from "@/lib/server/processes/print"
import { runLanes } from "@/lib/cli/checks/steps"

const [types = [], rest = []] = checkLanes()
const outcomes = await runLanes([types, [...rest, unitTests("--reporter=dot")]])
const failed = outcomes.filter(({ passed }) => !passed)
if (failed.length > 0)
  printAndExit(`${failed.length} of ${outcomes.length} checks failed: ${failed.map(({ name }) => name).join(", ")}.`)

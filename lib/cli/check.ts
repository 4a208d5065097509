import { checkLanes, unitTests, runLanes } from "@/lib/cli/checks/steps"
import { selectUnitTests } from "@/lib/cli/checks/unit-selection"
import { print, printAndExit } from "@/lib/server/processes/print"

const { files, of, remember } = await selectUnitTests()
print(`${files.length} of ${of} files of unit tests may have another outcome than when they last passed.`)
const outcomes = await runLanes([[unitTests("--reporter=dot", ...files)], ...checkLanes()])
if (outcomes.every(({ name, passed }) => passed || name !== "unit tests")) remember()
const failed = outcomes.filter(({ passed }) => !passed)
if (failed.length > 0)
  printAndExit(`${failed.length} of ${outcomes.length} checks failed: ${failed.map(({ name }) => name).join(", ")}.`)

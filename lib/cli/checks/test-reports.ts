import { stripVTControlCharacters } from "node:util"

/** The JSON reports of Vitest and of Playwright: how many tests passed, and which did not. */
export type Count = { passed: number; failed: number }

type VitestReport = {
  numPassedTests: number
  numFailedTests: number
  testResults: {
    name: string
    status: string
    message: string
    assertionResults: { fullName: string; status: string; failureMessages: string[] }[]
  }[]
}

type PlaywrightError = { message?: string; location?: { file: string; line: number } }

type PlaywrightSuite = {
  title: string
  suites?: PlaywrightSuite[]
  specs: {
    title: string
    file: string
    tests: { status: string; results: { errors?: PlaywrightError[] }[] }[]
  }[]
}
type PlaywrightReport = {
  stats: { expected: number; unexpected: number; flaky: number }
  suites: PlaywrightSuite[]
}

const lineCharsMax = 500

export function countOfVitest(report: unknown): Count {
  const { numPassedTests, numFailedTests } = report as VitestReport
  return { passed: numPassedTests, failed: numFailedTests }
}

export function countOfPlaywright(report: unknown): Count {
  const { stats } = report as PlaywrightReport
  return { passed: stats.expected, failed: stats.unexpected + stats.flaky }
}

/** File, title and the first line of the error of each failed test; files that could not be run by their name. */
export function failuresOfVitest(report: unknown): string[] {
  if (!report) return []
  return (report as VitestReport).testResults.flatMap((file) => {
    const failed = file.assertionResults.filter((test) => test.status === "failed")
    if (failed.length === 0) return file.status === "failed" ? [line([relative(file.name)], file.message)] : []
    return failed.map((test) => line([relative(file.name), test.fullName], test.failureMessages[0]))
  })
}

/** Likewise; a test that passed when it was tried again counts as failed. */
export function failuresOfPlaywright(report: unknown): string[] {
  return report ? (report as PlaywrightReport).suites.flatMap(failuresOfSuite) : []
}

function failuresOfSuite({ specs, suites = [] }: PlaywrightSuite): string[] {
  const own = specs.flatMap((spec) =>
    spec.tests
      .filter(({ status }) => status === "unexpected" || status === "flaky")
      .map((test) => line([spec.file, spec.title], reasonOf(test.results.flatMap(({ errors = [] }) => errors)))),
  )
  return [...own, ...suites.flatMap(failuresOfSuite)]
}

/** A test that ran out of time has two errors: the second says where. */
function reasonOf(errors: PlaywrightError[]): string {
  return errors
    .map(({ message = "", location }) => {
      const place = location ? ` (${relative(location.file)}:${location.line})` : ""
      return `${firstLine(message)}${place}`
    })
    .join("; ")
}

function line(place: string[], message = ""): string {
  return [place.join(" > "), firstLine(message)].filter(Boolean).join(": ").slice(0, lineCharsMax)
}

function firstLine(message: string): string {
  const lines = stripVTControlCharacters(message).split("\n")
  return (lines.find((text) => text.trim() !== "") ?? "").trim()
}

function relative(file: string): string {
  return file.replace(`${process.cwd()}/`, "")
}

import { existsSync, readFileSync } from "node:fs"
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

type PlaywrightResult = { errors?: PlaywrightError[]; attachments?: { name: string; path?: string }[] }

type PlaywrightSuite = {
  title: string
  suites?: PlaywrightSuite[]
  specs: {
    title: string
    file: string
    tests: { status: string; results: PlaywrightResult[] }[]
  }[]
}
type PlaywrightReport = {
  stats: { expected: number; unexpected: number; flaky: number }
  suites: PlaywrightSuite[]
}

const lineCharsMax = 900
/** Lines of an error that tell what was expected and what was there. */
const errorLinesMax = 12

export function countOfVitest(report: unknown): Count {
  const { numPassedTests, numFailedTests } = report as VitestReport
  return { passed: numPassedTests, failed: numFailedTests }
}

export function countOfPlaywright(report: unknown): Count {
  const { stats } = report as PlaywrightReport
  return { passed: stats.expected, failed: stats.unexpected + stats.flaky }
}

/** File, title and the first lines of the error of each failed test; files that could not be run by their name. */
export function failuresOfVitest(report: unknown): string[] {
  if (!report) return []
  return (report as VitestReport).testResults.flatMap((file) => {
    const failed = file.assertionResults.filter((test) => test.status === "failed")
    if (failed.length === 0) return file.status === "failed" ? [line([relative(file.name)], file.message)] : []
    return failed.map((test) => line([relative(file.name), test.fullName], test.failureMessages[0]))
  })
}

/** Likewise, with what the page showed at the end; a test that passed when it was tried again counts as failed. */
export function failuresOfPlaywright(report: unknown): string[] {
  return report ? (report as PlaywrightReport).suites.flatMap(failuresOfSuite) : []
}

function failuresOfSuite({ specs, suites = [] }: PlaywrightSuite): string[] {
  const own = specs.flatMap((spec) =>
    spec.tests
      .filter(({ status }) => status === "unexpected" || status === "flaky")
      .map(({ results }) => {
        const reason = reasonOf(results.flatMap(({ errors = [] }) => errors))
        return line([spec.file, spec.title], [reason, ...results.flatMap(shownAtTheEnd)].join("; "))
      }),
  )
  return [...own, ...suites.flatMap(failuresOfSuite)]
}

/** A test that ran out of time has two errors: the second says where. */
function reasonOf(errors: PlaywrightError[]): string {
  return errors
    .map(({ message = "", location }) => {
      const place = location ? ` (${relative(location.file)}:${location.line})` : ""
      return `${firstLines(message)}${place}`
    })
    .join("; ")
}

/** Headings, dialogs and messages of the page when a test failed: on another machine there is no picture to look at. */
function shownAtTheEnd({ attachments = [] }: PlaywrightResult): string[] {
  const path = attachments.find(({ name }) => name === "error-context")?.path
  if (!path || !existsSync(path)) return []
  const shown = readFileSync(path, "utf8")
    .split("\n")
    .filter((text) => /^\s*- (heading|alert|alertdialog|dialog|status)\b/.test(text))
    .map((text) => text.trim().replace(/^- | \[(level|ref|cursor)=\w+\]|:$/g, ""))
  return shown.length > 0 ? [`the page showed ${shown.join(", ")}`] : []
}

function line(place: string[], message = ""): string {
  return [place.join(" > "), firstLines(message)].filter(Boolean).join(": ").slice(0, lineCharsMax)
}

/** Until the calls that led to it. */
function firstLines(message: string): string {
  const lines = stripVTControlCharacters(message)
    .split("\n")
    .map((text) => text.trim())
  const end = lines.findIndex((text) => /^(at |Call log:)/.test(text))
  const own = (end < 0 ? lines : lines.slice(0, end)).filter(Boolean)
  return own.slice(0, errorLinesMax).join(" | ")
}

function relative(file: string): string {
  return file.replace(`${process.cwd()}/`, "")
}

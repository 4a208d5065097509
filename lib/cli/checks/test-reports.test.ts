import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, test } from "vitest"
import { countOfPlaywright, countOfVitest, failuresOfPlaywright, failuresOfVitest } from "@/lib/cli/checks/test-reports"

test("A failed run of Vitest names file, title and the first lines of the error, and files that could not be loaded", () => {
  const report = {
    numPassedTests: 1,
    numFailedTests: 1,
    testResults: [
      {
        name: `${process.cwd()}/lib/a.test.ts`,
        status: "failed",
        message: "",
        assertionResults: [
          { fullName: "holds", status: "passed", failureMessages: [] },
          { fullName: "holds too", status: "failed", failureMessages: ["\nAssertionError: no\n    at line 3"] },
        ],
      },
      { name: `${process.cwd()}/lib/b.test.ts`, status: "failed", message: "No module c", assertionResults: [] },
    ],
  }
  expect(failuresOfVitest(report)).toEqual([
    "lib/a.test.ts > holds too: AssertionError: no",
    "lib/b.test.ts: No module c",
  ])
  expect(countOfVitest(report)).toEqual({ passed: 1, failed: 1 })
})

test("A failed run of Playwright names the tests of every suite; one that passed at the second try has failed", () => {
  const errors = [
    { message: "\u001b[31mTimeout\u001b[39m\nmore" },
    { message: "waits", location: { file: `${process.cwd()}/a.spec.ts`, line: 7 } },
  ]
  const spec = (title: string, status: string) => ({
    title,
    file: "a.spec.ts",
    tests: [{ status, results: [{ errors: status === "expected" ? [] : errors }] }],
  })
  const report = {
    stats: { expected: 1, unexpected: 1, flaky: 1 },
    suites: [
      {
        title: "a.spec.ts",
        specs: [spec("one", "expected"), spec("two", "unexpected")],
        suites: [{ title: "inner", specs: [spec("three", "flaky")] }],
      },
    ],
  }
  expect(failuresOfPlaywright(report)).toEqual([
    "a.spec.ts > two: Timeout | more; waits (a.spec.ts:7)",
    "a.spec.ts > three: Timeout | more; waits (a.spec.ts:7)",
  ])
  expect(countOfPlaywright(report)).toEqual({ passed: 1, failed: 2 })
})

test("A failed test of the browser says what was expected, what was there, and which headings and messages the page showed", () => {
  const path = join(mkdtempSync(join(tmpdir(), "mailroom-reports-")), "error-context.md")
  writeFileSync(
    path,
    '# Page\n- main [ref=e1]:\n  - heading "Delete a.test?" [level=2] [ref=e2]\n  - alert [ref=e3]: Not now\n',
  )
  const message = "Error: not equal\n\n- Expected\n+ Received\n\n- []\n+ [503]\n    at a.spec.ts:7"
  const results = [{ errors: [{ message }], attachments: [{ name: "error-context", path }] }]
  const spec = { title: "one", file: "a.spec.ts", tests: [{ status: "unexpected", results }] }
  expect(failuresOfPlaywright({ suites: [{ title: "a.spec.ts", specs: [spec] }] })).toEqual([
    'a.spec.ts > one: Error: not equal | - Expected | + Received | - [] | + [503]; the page showed heading "Delete a.test?", alert: Not now',
  ])
})

test("A run that broke off before its report names nothing", () => {
  expect({ failuresOfVitest: failuresOfVitest(null), failuresOfPlaywright: failuresOfPlaywright(null) }).toEqual({
    failuresOfVitest: [],
    failuresOfPlaywright: [],
  })
})

/** What a long test has measured, as a line that `npm run test:long` prints. */
export function figures(of: string, measured: Record<string, number | string>) {
  if (process.env.MAILROOM_LONG !== "1") return
  const said = Object.entries(measured).map(
    ([name, value]) => `${name} ${typeof value === "number" ? Math.round(value) : value}`,
  )
  process.stderr.write(`\nfigures: ${of}: ${said.join(", ")}\n`)
}

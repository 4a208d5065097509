/** `npm run test:long` asks for the full numbers; `npm test` for as many as find the same defects in a minute. */
export function size<T>(gate: T, long: T): T {
  return process.env.MAILROOM_LONG === "1" ? long : gate
}

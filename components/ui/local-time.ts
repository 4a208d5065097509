/** As `datetime-local` writes a time: the reader's own clock, to the minute. */
export function localTime(at: Date): string {
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

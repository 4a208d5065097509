const formats = new Map<string, Intl.DateTimeFormat>()

/**
 * A date or a time in words of British English, in the reader's time zone unless `options` names another. A format takes some
 * 40 µs to make, and milliseconds the first time in a browser, so each is made once, and only when it is needed.
 */
export function dateWords(at: string | number | Date, options: Intl.DateTimeFormatOptions): string {
  const date = new Date(at)
  // As toLocaleString does, where Intl's format throws.
  if (Number.isNaN(date.getTime())) return String(date)
  const key = JSON.stringify(options)
  let format = formats.get(key)
  if (!format) formats.set(key, (format = new Intl.DateTimeFormat("en-GB", options)))
  return format.format(date)
}

/** As `datetime-local` writes a time: the reader's own clock, to the minute. */
export function localTime(at: Date): string {
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

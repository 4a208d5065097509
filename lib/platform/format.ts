/** A number as people read it in English: `12,345.6`. */
export function formatNumber(value: number): string {
  return value.toLocaleString("en")
}

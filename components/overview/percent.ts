/** A fraction as a percentage: small ones keep the digits that matter, and what is not quite all never reads 100%. */
export function percent(fraction: number): string {
  const value = fraction * 100
  if (value === 0) return "0%"
  if (value < 1) return `${value.toFixed(2)}%`
  if (value < 100 && value > 99.9) return "99.9%"
  return `${Number(value.toFixed(1))}%`
}

import { formatNumber } from "@/lib/platform/format"

/** A share as a percentage, small ones with the digits that matter. */
export function percentText(share: number): string {
  const value = share * 100
  return `${value < 1 ? Number(value.toFixed(2)) : Number(value.toFixed(1))}%`
}

export function countText(count: number, one: string, many = `${one}s`): string {
  return `${formatNumber(count)} ${count === 1 ? one : many}`
}

import { createHash } from "node:crypto"

export type SqlFile = { name: string; sql: string }

export function checksum(sql: string): string {
  return createHash("sha256").update(sql).digest("hex")
}

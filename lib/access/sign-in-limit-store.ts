import { RateLimiterPostgres, RateLimiterRes } from "rate-limiter-flexible"
import { networkOf } from "@/lib/platform/client-address"
import { hmac } from "@/lib/platform/crypto"
import { pool } from "@/lib/platform/db"
import { env } from "@/lib/platform/env"

/** Failed tries to sign in that an account and a client address have in a window. A successful one does not count. */
export const signInLimits = {
  get perAccount() {
    return env().signInTriesPerAccount
  },
  get perAddress() {
    return env().signInTriesPerAddress
  },
  windowSeconds: 15 * 60,
} as const

type Try = { account: string; ip: string }

/**
 * Counts a try before its password is looked at, in the database, so that all processes count together.
 * @returns false when account or address have no tries left
 */
export async function mayTry({ account, ip }: Try): Promise<boolean> {
  const [byAccount, byAddress] = await Promise.all([takes(limiters().account, nameOf(account)), takes(limiters().address, networkOf(ip))])
  return byAccount && byAddress
}

/** After a success: the account has its tries back, the address the one that it spent. */
export async function forgetTry({ account, ip }: Try): Promise<void> {
  await Promise.all([limiters().account.delete(nameOf(account)), limiters().address.reward(networkOf(ip), 1)])
}

/** Addresses stand in that table under a keyed hash only: it is neither a list of users nor of typos. */
function nameOf(account: string): string {
  return hmac("sign-in-limits", account).toString("base64url")
}

async function takes(limiter: RateLimiterPostgres, key: string): Promise<boolean> {
  try {
    await limiter.consume(key)
    return true
  } catch (refused) {
    if (refused instanceof RateLimiterRes) return false
    throw refused
  }
}

let opened: { account: RateLimiterPostgres; address: RateLimiterPostgres } | undefined

function limiters() {
  return (opened ??= { account: limiter("sign-in-account", signInLimits.perAccount), address: limiter("sign-in-address", signInLimits.perAddress) })
}

function limiter(keyPrefix: string, points: number): RateLimiterPostgres {
  const duration = signInLimits.windowSeconds
  const table = { tableName: "rate_windows", tableCreated: true, clearExpiredByTimeout: false }
  return new RateLimiterPostgres({ storeClient: pool(), storeType: "pool", ...table, keyPrefix, points, duration })
}

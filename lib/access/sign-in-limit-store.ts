import { RateLimiterPostgres, RateLimiterRes } from "rate-limiter-flexible"
import { networkOf, subnetOf } from "@/lib/platform/client-address"
import { hmac } from "@/lib/platform/crypto"
import { pool } from "@/lib/platform/db"
import { env } from "@/lib/platform/env"

/** Failed attempts in a window. A successful one does not count. */
export const signInLimits = {
  /** Of one account from one network (/24, /64), and of one running session that confirms its password. */
  get perAccount() {
    return env().signInTriesPerAccount
  },
  /** Of one account from everywhere: higher, so that a stranger's network alone never refuses the owner. */
  get perAccountInAll() {
    return 10 * env().signInTriesPerAccount
  },
  /** Of one client address, over all accounts. */
  get perAddress() {
    return env().signInTriesPerAddress
  },
  /** Sign-in links to one address, asked for from one network and from everywhere. */
  get linksPerNetwork() {
    return Math.ceil(env().signInTriesPerAccount / 4)
  },
  get linksInAll() {
    return env().signInTriesPerAccount
  },
  windowSeconds: 15 * 60,
  /** A network in which somebody signed in is not refused for what strangers attempt elsewhere. */
  networkKnownSeconds: 30 * 86_400,
} as const

type Attempt = { account: string; ip: string }

/**
 * Counts an attempt to guess a password before the password is checked, in the database, so that all processes count
 * together. What it asks the database does not depend on whether the account exists.
 * @returns false when account or client address have no attempts left
 */
export async function mayTryPassword({ account, ip }: Attempt): Promise<boolean> {
  const limits = limiters()
  const [here, byAddress, known] = await Promise.all([
    takes(limits.account, nameOf(account, subnetOf(ip))),
    takes(limits.address, networkOf(ip)),
    isKnown({ account, ip }),
  ])
  // What one network is refused for does not count for all of them.
  if (!here || !byAddress) return false
  const inAll = await takes(limits.accountInAll, nameOf(account))
  return known || inAll
}

/** After a success: the account has its attempts from this network back, the other counters the one that was spent. */
export async function passwordWasRight({ account, ip }: Attempt): Promise<void> {
  const limits = limiters()
  const here = nameOf(account, subnetOf(ip))
  await Promise.all([
    limits.account.delete(here),
    limits.accountInAll.reward(nameOf(account), 1),
    limits.address.reward(networkOf(ip), 1),
    limits.known.set(here, 1, signInLimits.networkKnownSeconds),
  ])
}

/** Counts a sign-in link that is asked for; false when the address has had enough. */
export async function mayAskForLink({ account, ip }: Attempt): Promise<boolean> {
  const limits = limiters()
  const [here, byAddress, known] = await Promise.all([
    takes(limits.links, nameOf(account, subnetOf(ip))),
    takes(limits.address, networkOf(ip)),
    isKnown({ account, ip }),
  ])
  if (!here || !byAddress) return false
  const inAll = await takes(limits.linksInAll, nameOf(account))
  return known || inAll
}

/** Counts an attempt with something that no stranger can name: a token, or an account at a provider. */
export async function mayTry({ account, ip }: Attempt): Promise<boolean> {
  const limits = limiters()
  const [byAccount, byAddress] = await Promise.all([takes(limits.account, nameOf(account)), takes(limits.address, networkOf(ip))])
  return byAccount && byAddress
}

export async function forgetTry({ account, ip }: Attempt): Promise<void> {
  const limits = limiters()
  await Promise.all([limits.account.delete(nameOf(account)), limits.address.reward(networkOf(ip), 1)])
}

/** Counts an attempt of a running session to confirm its password. Failed sign-ins of strangers do not count here. */
export function mayConfirm(sessionId: string): Promise<boolean> {
  return takes(limiters().confirm, sessionId)
}

export async function confirmationWasRight(sessionId: string): Promise<void> {
  await limiters().confirm.delete(sessionId)
}

async function isKnown({ account, ip }: Attempt): Promise<boolean> {
  return (await limiters().known.get(nameOf(account, subnetOf(ip)))) !== null
}

/** Accounts are in that table under a keyed hash only: it is neither a list of users nor of typos. */
function nameOf(account: string, network = ""): string {
  return hmac("sign-in-limits", `${account} ${network}`).toString("base64url")
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

let opened: ReturnType<typeof openLimiters> | undefined

function limiters() {
  return (opened ??= openLimiters())
}

function openLimiters() {
  return {
    account: limiter("sign-in-account", signInLimits.perAccount),
    accountInAll: limiter("sign-in-account-in-all", signInLimits.perAccountInAll),
    address: limiter("sign-in-address", signInLimits.perAddress),
    known: limiter("sign-in-known", 1),
    links: limiter("sign-in-links", signInLimits.linksPerNetwork),
    linksInAll: limiter("sign-in-links-in-all", signInLimits.linksInAll),
    confirm: limiter("confirm", signInLimits.perAccount),
  }
}

function limiter(keyPrefix: string, points: number): RateLimiterPostgres {
  const duration = signInLimits.windowSeconds
  const table = { tableName: "rate_windows", tableCreated: true, clearExpiredByTimeout: false }
  return new RateLimiterPostgres({ storeClient: pool(), storeType: "pool", ...table, keyPrefix, points, duration })
}

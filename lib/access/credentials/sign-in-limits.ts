import { networkOf, subnetOf } from "@/lib/platform/networks"
import { hmac } from "@/lib/platform/crypto"
import { areaSettings, env } from "@/lib/platform/env/env"
import { windowLimiter } from "@/lib/access/limits/data"

/** Failed attempts in a window; successful ones do not count. */
export const signInLimits = {
  /** At one account from one network (/24, /64), and of one session that confirms its password. */
  get perAccount() {
    return env().signInTriesPerAccount
  },
  /** At one account from everywhere: higher, so that attempts from one network never lock out the owner. */
  get perAccountInAll() {
    return 10 * env().signInTriesPerAccount
  },
  /** From one client address, over all accounts. */
  get perAddress() {
    return env().signInTriesPerAddress
  },
  /** Sign-in links to one address, requested from one network and from everywhere. */
  get linksPerNetwork() {
    return Math.ceil(env().signInTriesPerAccount / 4)
  },
  get linksInAll() {
    return env().signInTriesPerAccount
  },
  /** At the second step of one account, from everywhere. */
  get secondStep() {
    return Math.ceil(env().signInTriesPerAccount / 4)
  },
  windowSeconds: 15 * 60,
  /** A network from which the owner has signed in is not refused because of attempts elsewhere. */
  networkKnownSeconds: 30 * 86_400,
} as const

type Attempt = { account: string; ip: string }

/**
 * Counts an attempt to guess a password before the password is checked, in the database, so that all processes count
 * together. What it asks the database does not depend on whether the account exists.
 * @returns false when account or client address have no attempts left
 */
export async function mayAttemptPassword({ account, ip }: Attempt): Promise<boolean> {
  const limits = limiters()
  const [here, byAddress, known] = await Promise.all([
    limits.account.take(nameOf(account, subnetOf(ip))),
    limits.address.take(networkOf(ip)),
    isKnown({ account, ip }),
  ])
  // Refused attempts do not count towards the limit over all networks.
  if (!here || !byAddress) return false
  const inAll = await limits.accountInAll.take(nameOf(account))
  return known || inAll
}

/** After a success the account gets back all its attempts from this network, and the other counters one. */
export async function passwordSucceeded({ account, ip }: Attempt): Promise<void> {
  const limits = limiters()
  const here = nameOf(account, subnetOf(ip))
  await Promise.all([
    limits.account.forget(here),
    limits.accountInAll.giveBack(nameOf(account)),
    limits.address.giveBack(networkOf(ip)),
    limits.known.begin(here),
  ])
}

/** Counts a request for a sign-in link; false when the address is over its limit. */
export async function mayAskForLink({ account, ip }: Attempt): Promise<boolean> {
  const limits = limiters()
  const [here, byAddress, known] = await Promise.all([
    limits.links.take(nameOf(account, subnetOf(ip))),
    limits.address.take(networkOf(ip)),
    isKnown({ account, ip }),
  ])
  if (!here || !byAddress) return false
  const inAll = await limits.linksInAll.take(nameOf(account))
  return known || inAll
}

/** Counts an attempt with a secret that strangers cannot name: a token, or an account at a provider. */
export async function mayAttempt({ account, ip }: Attempt): Promise<boolean> {
  const limits = limiters()
  const [byAccount, byAddress] = await Promise.all([
    limits.account.take(nameOf(account)),
    limits.address.take(networkOf(ip)),
  ])
  return byAccount && byAddress
}

export async function forgetAttempt({ account, ip }: Attempt): Promise<void> {
  const limits = limiters()
  await Promise.all([limits.account.forget(nameOf(account)), limits.address.giveBack(networkOf(ip))])
}

/** Counts an attempt of a session to confirm its password. Failed sign-ins do not count here. */
export function mayConfirm(sessionId: string): Promise<boolean> {
  return limiters().confirm.take(sessionId)
}

export async function confirmationSucceeded(sessionId: string): Promise<void> {
  await limiters().confirm.forget(sessionId)
}

/**
 * Counts an attempt at the second step of a sign-in, over all networks: who comes so far has passed the first. Of a million
 * codes three are right, so with 5 attempts in 15 minutes guessing takes two years on average.
 */
export async function mayTrySecondStep({ userId, ip }: { userId: string; ip: string }): Promise<boolean> {
  const limits = limiters()
  const [byAccount, byAddress] = await Promise.all([limits.secondStep.take(userId), limits.address.take(networkOf(ip))])
  return byAccount && byAddress
}

export async function secondStepSucceeded({ userId, ip }: { userId: string; ip: string }): Promise<void> {
  const limits = limiters()
  await Promise.all([limits.secondStep.forget(userId), limits.address.giveBack(networkOf(ip))])
}

function isKnown({ account, ip }: Attempt): Promise<boolean> {
  return limiters().known.isRunning(nameOf(account, subnetOf(ip)))
}

/** Accounts are stored as keyed hashes only, so that the table reveals no addresses. */
function nameOf(account: string, network = ""): string {
  return hmac("sign-in-limits", `${account} ${network}`).toString("base64url")
}

const limiters = areaSettings(() => ({
  account: limiter("sign-in-account", signInLimits.perAccount),
  accountInAll: limiter("sign-in-account-in-all", signInLimits.perAccountInAll),
  address: limiter("sign-in-address", signInLimits.perAddress),
  known: limiter("sign-in-known", 1, signInLimits.networkKnownSeconds),
  links: limiter("sign-in-links", signInLimits.linksPerNetwork),
  linksInAll: limiter("sign-in-links-in-all", signInLimits.linksInAll),
  confirm: limiter("confirm", signInLimits.perAccount),
  secondStep: limiter("second-step", signInLimits.secondStep),
}))

function limiter(prefix: string, points: number, seconds: number = signInLimits.windowSeconds) {
  return windowLimiter({ prefix, points, seconds })
}

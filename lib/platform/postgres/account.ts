import { spawnSync } from "node:child_process"

/** PostgreSQL refuses to run as root; this is the account that runs it then. */
export type Account = { name: string; uid: number; gid: number }

/**
 * Null where we are a plain user already (or on Windows) and PostgreSQL runs as ourselves.
 * As root: the system's `postgres` account where there is one, else `nobody`, so that no account has to be made.
 */
export function postgresAccount(): Account | null {
  if (process.getuid?.() !== 0) return null
  const account = find("postgres") ?? find("nobody")
  if (!account)
    throw new Error("PostgreSQL cannot run as root, and this system has neither an account postgres nor nobody.")
  return account
}

/** True when the account can enter the folder, and write there if asked: tried as that account, not guessed from bits. */
export function canReach(account: Account, folder: string, need: "enter" | "write"): boolean {
  const script = need === "write" ? 'cd "$1" && test -w .' : 'cd "$1"'
  const tried = spawnSync("/bin/sh", ["-c", script, "sh", folder], { ...identity(account), cwd: "/", stdio: "ignore" })
  return tried.status === 0
}

/** What to hand to `spawn` so that the child runs as the account. */
export function identity(account: Account | null): { uid?: number; gid?: number } {
  return account ? { uid: account.uid, gid: account.gid } : {}
}

function find(name: string): Account | null {
  const uid = id("-u", name)
  const gid = id("-g", name)
  return uid === null || gid === null || uid === 0 ? null : { name, uid, gid }
}

function id(flag: string, name: string): number | null {
  const answer = spawnSync("id", [flag, name], { encoding: "utf8", cwd: "/" })
  return answer.status === 0 ? Number(answer.stdout.trim()) : null
}

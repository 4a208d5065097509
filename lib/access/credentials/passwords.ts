import { hash, verify } from "@node-rs/argon2"

// argon2id with OWASP's minimum: 19 MiB, two passes, one lane (Password Storage Cheat Sheet).
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** The hash of an unknown password, checked when an account has none, so that both cases take the same time. */
const unknown = "$argon2id$v=19$m=19456,t=2,p=1$aqXoiUGL3jxUKNsPuoGMCg$cJ8/mKaUe7PToEvbsYIS7p9S45h1wU1iEkLL8qfugY4"

/** Hashes a password. The same characters typed on another keyboard are the same password (NFKC). */
export function hashPassword(password: string): Promise<string> {
  return hash(password.normalize("NFKC"), cost)
}

/** True when the password matches the hash; without a hash false, after the same work. */
export async function passwordMatches(passwordHash: string | null, password: string): Promise<boolean> {
  const known = passwordHash?.startsWith("$argon2id$") ? passwordHash : null
  const matches = await verify(known ?? unknown, password.normalize("NFKC"))
  return known !== null && matches
}

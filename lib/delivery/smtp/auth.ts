import { refusal, SmtpFailure } from "@/lib/delivery/smtp/failure"
import type { SmtpReply } from "@/lib/delivery/smtp/reply"
import type { SmtpSession } from "@/lib/delivery/smtp/session"
import type { SmtpTarget } from "@/lib/regions/smtp-url"

/**
 * AUTH PLAIN, else LOGIN (RFC 4954), if the target has a user. Only inside TLS, or on loopback where TLS is turned off:
 * a server that hides STARTTLS must not get the password. The transcript never contains it.
 */
export async function authenticate(
  session: SmtpSession,
  extensions: ReadonlyMap<string, string>,
  { user, password = "", tls }: SmtpTarget,
  timeoutMs: number,
): Promise<void> {
  if (user === undefined) return
  if (!session.tls && !(tls === "none" && isLoopback(session.socket.remoteAddress)))
    throw new SmtpFailure("auth", "region_fault", "Credentials are never sent over a connection without TLS.")
  const reply = await sendCredentials(session, (extensions.get("AUTH") ?? "").split(" "), user, password, timeoutMs)
  if (reply.code !== 235) throw refusal("auth", reply)
}

async function sendCredentials(
  session: SmtpSession,
  mechanisms: readonly string[],
  user: string,
  password: string,
  timeoutMs: number,
): Promise<SmtpReply> {
  if (mechanisms.includes("PLAIN")) {
    session.write([`AUTH PLAIN ${base64(`\0${user}\0${password}`)}`], ["AUTH PLAIN …"])
    return session.answer("auth", timeoutMs)
  }
  if (!mechanisms.includes("LOGIN"))
    throw new SmtpFailure("auth", "region_fault", "The server offers neither AUTH PLAIN nor AUTH LOGIN.")
  session.write(["AUTH LOGIN"])
  for (const secret of [user, password]) {
    const prompt = await session.answer("auth", timeoutMs)
    if (prompt.code !== 334) return prompt
    session.write([base64(secret)], ["…"])
  }
  return session.answer("auth", timeoutMs)
}

function base64(text: string): string {
  return Buffer.from(text, "utf8").toString("base64")
}

function isLoopback(address: string | undefined): boolean {
  return address !== undefined && /^(127\.|::1$|::ffff:127\.)/.test(address)
}

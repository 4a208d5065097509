import { openDialogue } from "@/e2e/support/inbound/dialogue"

/** Hands a mail to the postmaster of the running product over by SMTP, as a stranger's server does; the server's answer. */
export async function writeToPostmaster(subject: string, text: string): Promise<string> {
  const client = await openDialogue(Number(process.env.E2E_INBOUND_PORT))
  await client.hear()
  for (const line of ["EHLO mx.lovelace.example", "MAIL FROM:<ada@lovelace.example>", "RCPT TO:<postmaster>", "DATA"])
    await client.say(line)
  const mail = ["From: Ada <ada@lovelace.example>", `Subject: ${subject}`, "", text]
  const answer = await client.say([...mail, "."].join("\r\n"))
  client.end()
  return answer
}

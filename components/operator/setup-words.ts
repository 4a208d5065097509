import type { SetupRowWire } from "@/components/operator/queries"
import type { Tone } from "@/components/ui/pill"

export const setupStateWords: Record<SetupRowWire["state"], { tone: Tone; text: string }> = {
  ok: { tone: "good", text: "OK" },
  wrong: { tone: "bad", text: "Wrong" },
  unknown: { tone: "wait", text: "Unknown" },
  waiting: { tone: "warn", text: "Waiting" },
}

/** Where a row is changed. */
export const setupPlaceWords: Record<SetupRowWire["place"], string> = {
  dns: "In DNS",
  hoster: "At the hoster",
  env: "In .env",
  server: "To do",
  page: "To do",
}

/** A way to send, the line of `.env` for it, and what is done next. */
export const waysToSend = [
  {
    name: "Direct",
    line: "SMTP_URL=direct:",
    then: "Add the addresses that email leaves from on the Addresses page, publish the zone file, and set their reverse DNS.",
  },
  {
    name: "Postfix",
    line: "SMTP_URL=smtp://127.0.0.1:25?delivered=dsn",
    then: "Postfix on this server must accept mail from 127.0.0.1 (mynetworks). Reports of delivery count once the loop test passes.",
  },
  {
    name: "Amazon SES",
    line: "SMTP_URL=smtp://USER:PASSWORD@email-smtp.eu-west-1.amazonaws.com:587",
    then: "Create SMTP credentials in the SES console, verify the sending domains there, and ask for production access.",
  },
  {
    name: "SendGrid",
    line: "SMTP_URL=smtp://apikey:API_KEY@smtp.sendgrid.net:587",
    then: "The user name is the word apikey. Authenticate the sending domains there.",
  },
  {
    name: "Mailgun",
    line: "SMTP_URL=smtp://USER:PASSWORD@smtp.eu.mailgun.org:587",
    then: "Write the @ of the user name as %40. Outside the EU the host is smtp.mailgun.org.",
  },
  {
    name: "Postmark",
    line: "SMTP_URL=smtp://TOKEN:TOKEN@smtp.postmarkapp.com:587",
    then: "The server's API token is both the user name and the password.",
  },
] as const

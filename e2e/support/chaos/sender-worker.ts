import { api } from "@/e2e/support/world"
import { closeDatabase } from "@/lib/platform/database/db"

// One process of several that spend one daily allowance: each key sends so often, then each send is repeated.
const { SENDER_KEYS = "", SENDER_FROM, SENDER_REQUESTS, SENDER_NAME } = process.env
const mail = { from: SENDER_FROM, to: ["ada@lovelace.example"], subject: "Hello", text: "Hi" }
const sends = SENDER_KEYS.split(" ").flatMap((key) =>
  Array.from({ length: Number(SENDER_REQUESTS) }, (_, at) => ({
    key,
    body: { ...mail, idempotencyKey: `${SENDER_NAME} ${key.slice(-6)} ${at}` },
  })),
)
const rounds = []
for (let round = 0; round < 2; round++) {
  const answers = await Promise.all(sends.map((send) => api("POST /v1/emails", send)))
  rounds.push(
    answers.map(({ status, json, headers }) => ({
      said: json.code ?? status,
      replayed: headers.has("idempotent-replayed"),
    })),
  )
}
process.stdout.write(JSON.stringify(rounds))
await closeDatabase()

import { newId } from "@/lib/platform/ids"

/** A mail of the size that applications send: a subject, a text and a page of HTML, for a recipient of its own. */
export function message(domain: string, at: number) {
  return {
    from: `Acme <hello@${domain}>`,
    to: [`person${at}@customers.example`],
    subject: `Your order ${at} is on its way`,
    text,
    html,
    tags: { kind: "order" },
    idempotencyKey: newId(),
  }
}

const lines = Array.from(
  { length: 12 },
  (_, at) => `Line ${at + 1}: one piece of what you have ordered has left our house.`,
)
export const text = lines.join("\n")
export const html = `<!doctype html><body>${lines.map((line) => `<p style="margin:0 0 8px">${line}</p>`).join("")}</body>`

let sent = 0

/** Every mail of a run has a different recipient. */
export function nextNumber(): number {
  return (sent += 1)
}

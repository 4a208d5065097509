// The floor that `npm run bench` takes its ratios to: what this framework costs when a handler does nothing but parse a
// JSON body and answer JSON of the size that a send answers.
export const dynamic = "force-dynamic"

export async function POST(request) {
  const { subject } = await request.json()
  return Response.json(answer(subject), { status: 201 })
}

export async function GET() {
  return Response.json(answer("none"))
}

function answer(subject) {
  return {
    id: "email_01kakhvn3fexpv5cfqzp2yvm4e",
    messageId: "<01kakhvn3fexpv5cfqzp2yvm4f@acme.example>",
    status: "queued",
    createdAt: new Date().toISOString(),
    subject,
  }
}

import { expect, test } from "vitest"
import { relayTestWords } from "@/components/operator/test-words"

const ended = {
  relay: "relay.example:587",
  outcome: "region_fault" as const,
  text: "",
  remote: "relay.example:587",
  to: "ada@lovelace.example",
  from: "postmaster@mail.acme.example",
}

test.each([
  [{ phase: "connect", text: "getaddrinfo ENOTFOUND relay.example" }, "No connection", "not found in DNS"],
  [{ phase: "connect", text: "connect ECONNREFUSED 192.0.2.1:25" }, "No connection", "Nothing listens"],
  [{ phase: "connect", text: "no connection within 10 s" }, "No connection", "port 25"],
  [{ phase: "connect", text: "SSL routines: wrong version number" }, "No connection", "smtps://"],
  [{ phase: "greeting", code: 554 }, "did not greet", "address of this machine"],
  [{ phase: "ehlo", code: 550 }, "refused the name", "ehlo=NAME"],
  [{ phase: "starttls", text: "self-signed certificate" }, "TLS with", "must be valid for the host name"],
  [{ phase: "starttls", code: 454 }, "TLS with", "port 465"],
  [{ phase: "auth", code: 535 }, "user name or password", "percent-encoded"],
  [{ phase: "auth", text: "The server offers neither AUTH PLAIN nor AUTH LOGIN." }, "Sign-in", "Check both"],
  [{ phase: "mail", code: 530 }, "wants a sign-in", "USER:PASSWORD"],
  [{ phase: "mail", outcome: "refused" as const, code: 553 }, "refused the sender postmaster@", "Register the domain"],
  [{ phase: "rcpt", outcome: "refused" as const, code: 554 }, "refused ada@", "mynetworks"],
  [{ phase: "rcpt", outcome: "deferred" as const, code: 450 }, "does not take ada@", "Try again"],
  [{ phase: "final", outcome: "refused" as const, code: 550 }, "refused the email", "says why"],
  [{ phase: "final", outcome: "deferred" as const, code: 451 }, "does not take the email now", "Try again"],
  [{ phase: "final", outcome: "ambiguous" as const }, "did not confirm", "may have taken it"],
  [
    { phase: "final", outcome: "accepted" as const, code: 250 },
    "relay.example:587 took the email to ada@",
    "within minutes",
  ],
  [{ relay: "direct", phase: "connect" }, "No connection", "outgoing port 25"],
  [{ relay: "direct", phase: "connect", remote: "" }, "No mail server of ada@", "outgoing port 25"],
  [{ relay: "direct", phase: "rcpt", code: 550, outcome: "refused" as const }, "refused ada@", "reverse name"],
  // By an API, which has no phases.
  [{ text: "AccessDeniedException" }, "takes no email from this account", "check the key"],
  [{ outcome: "refused" as const, text: "MessageRejected" }, "refused the email to ada@", "no verified identity"],
  [{ outcome: "deferred" as const, text: "TooManyRequestsException" }, "does not take the email now", "Try again"],
])("a relay test that ended with %o is titled and says what to do", (how, title, todo) => {
  const words = relayTestWords({ ...ended, ...how })
  expect(words.title).toContain(title)
  expect(words.todo).toContain(todo)
})

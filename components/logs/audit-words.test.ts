import { expect, test } from "vitest"
import { actionWords, actorWords, auditAreas, sentenceParts } from "@/components/logs/audit-words"
import { auditActions } from "@/lib/access/audit/rules"

const sentence = (action: string) =>
  sentenceParts(action)
    .map((part) => ("text" in part ? part.text : part.part === "actor" ? "Ada" : "acme.test"))
    .join("")

test("an entry reads as a sentence, whatever spelling its action has", () => {
  expect(sentence("domain.added")).toBe("Ada added the domain acme.test")
  expect(sentence("segments.create")).toBe("Ada created the segment acme.test")
  expect(sentence("member.role_changed")).toBe("Ada changed the role of acme.test")
  expect(sentence("user.sign_in_failed")).toBe("A sign-in as acme.test failed")
  expect(sentence("thing.of_tomorrow")).toBe("Ada did thing of tomorrow: acme.test")
})

test("each action belongs to an area that the filter offers", () => {
  const areas = new Set<string>(auditAreas.map(([value]) => value))
  const areaOf = (action: string) => action.slice(0, action.indexOf("."))
  expect(
    auditActions.filter((action) => !areas.has(areaOf(action)) && !areas.has(areaOf(action).slice(0, -1))),
  ).toEqual([])
})

test("an area or action in the address is shown in words", () => {
  expect(actionWords("api_key")).toBe("API keys")
  expect(actionWords("api_key.revoked")).toBe("Revoked the API key …")
})

test("people are named by their address, keys as keys, and who has no name by what they are", () => {
  expect(actorWords({ kind: "user", name: "ada@acme.test" })).toBe("ada@acme.test")
  expect(actorWords({ kind: "key", name: "Shop" })).toBe("API key Shop")
  expect(actorWords({ kind: "system" })).toBe("The service")
})

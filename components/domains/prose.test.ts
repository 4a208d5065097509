import { expect, it } from "vitest"
import { proseOf } from "@/components/domains/prose"

const code = (sentence: string) =>
  proseOf(sentence)
    .filter((piece) => piece.code)
    .map(({ text }) => text)

it.each([
  ["Enter the host as send, without acme.com.", ["send", "acme.com"]],
  ["The record stands at send.acme.com.acme.com: the provider added the zone.", ["send.acme.com.acme.com"]],
  ["Move it to the host _dmarc.", ["_dmarc"]],
  ["Add include:spf.eu-west-1.mailroom.test before its last word.", ["include:spf.eu-west-1.mailroom.test"]],
  ["The record does not allow our servers to send. Publish the value shown.", []],
])("what is to be typed stands out: %s", (sentence, names) => {
  expect(code(sentence)).toEqual(names)
})

it("nothing of the sentence is lost", () => {
  const sentence = 'Set links.news to "DNS only" at your provider. Then wait.'
  expect(
    proseOf(sentence)
      .map(({ text }) => text)
      .join(""),
  ).toBe(sentence)
})

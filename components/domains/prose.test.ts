import { expect, it } from "vitest"
import { proseOf } from "@/components/domains/sentence"

const code = (sentence: string) =>
  proseOf(sentence)
    .filter((piece) => piece.code)
    .map(({ text }) => text)

it.each([
  ["Enter send as the host.", ["send"]],
  ["Enter mr1a._domainkey.news as the host.", ["mr1a._domainkey.news"]],
  ["Found at send.acme.com.acme.com. Your DNS provider added the domain again.", ["send.acme.com.acme.com"]],
  ["Move it to the host _dmarc.", ["_dmarc"]],
  ["Add include:spf.eu-west-1.mailroom.test before the last term.", ["include:spf.eu-west-1.mailroom.test"]],
  ["The record does not allow our servers to send. Publish the value shown.", []],
])("what to type is set as code: %s", (sentence, names) => {
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

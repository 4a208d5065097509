import fc from "fast-check"
import { expect, test } from "vitest"
import { measured } from "@/e2e/support/measured"
import { hyperlinks } from "@/lib/emails/links/html-tags"

test.each([
  ["<a href='https://a.test/?a=1&amp;b=2'>x</a>", ["https://a.test/?a=1&b=2"]],
  ["<A HREF=https://a.test/İ>x</A><map><area href=' https://b.test '></map>", ["https://a.test/İ", "https://b.test"]],
  ["<a href=https://a.test><a href=https://a.test><a>no link</a>", ["https://a.test"]],
  ["<!--[if mso]><a href=https://mso.test>x</a><![endif]--><a href=https://b.test", []],
  ["<template><a href=https://a.test></template><script>'<a href=https://s.test>'</script>", ["https://a.test"]],
  ["<link href=https://css.test><img src=https://img.test>", []],
  ["no html at all", []],
])("the hyperlinks of %s", (html, links) => {
  expect(hyperlinks(html)).toEqual(links)
})

test.each([
  ["nested deeper than any reader goes", "<div>".repeat(200_000)],
  ["of formatting that is never closed", "<b><p>x".repeat(140_000)],
  ["of one tag with 100,000 attributes", `<p ${Array.from({ length: 100_000 }, (_, i) => `a${i}=1`).join(" ")}>`],
])("a document of 1 MiB %s is read in linear time", measured, (_, start) => {
  const startedAt = performance.now()
  expect(hyperlinks(`${start}<a href=https://a.test>`)).toEqual(["https://a.test"])
  expect(performance.now() - startedAt).toBeLessThan(3_000)
})

test("every link of a document is found, whatever surrounds it", () => {
  const word = fc.stringMatching(/^[a-z0-9]{1,8}$/)
  fc.assert(
    fc.property(
      fc.uniqueArray(word, { maxLength: 20 }),
      fc.array(fc.constantFrom("<p>", "</p>", "<table>", "<b>", "&", "<")),
      (names, noise) => {
        const html = names
          .map((name, i) => `${noise[i % (noise.length || 1)] ?? ""} <a title=">" href="https://${name}.test">x</a>`)
          .join("")
        expect(hyperlinks(html).toSorted()).toEqual(names.map((name) => `https://${name}.test`).toSorted())
      },
    ),
  )
})

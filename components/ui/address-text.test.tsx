import { renderToStaticMarkup } from "react-dom/server"
import { expect, test } from "vitest"
import { AddressText } from "@/components/ui/text"

const long = "a-subdomain-of.a-long-domain.example"

test.each([
  ["zoe@bakker-en-zoon.example", 'zoe@<wbr/><span class="whitespace-nowrap">bakker-en-zoon.example</span>'],
  [`zoe@${long}`, `zoe@<wbr/>${long}`],
  ["undisclosed", "undisclosed"],
])("%s breaks after its @ first", (address, html) => {
  expect(renderToStaticMarkup(<AddressText address={address} />)).toBe(html)
})

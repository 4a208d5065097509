import { renderToStaticMarkup } from "react-dom/server"
import { expect, it } from "vitest"
import { BreakAfter } from "@/components/ui/text"

it("a text may break after its marks, and stays as it is without one", () => {
  expect(renderToStaticMarkup(<BreakAfter mark="." text="mail.acme.com" />)).toBe("mail.<wbr/>acme.<wbr/>com")
  expect(renderToStaticMarkup(<BreakAfter mark="/" text="/v1/emails" />)).toBe("/<wbr/>v1/<wbr/>emails")
  expect(renderToStaticMarkup(<BreakAfter mark="." text="localhost" />)).toBe("localhost")
})

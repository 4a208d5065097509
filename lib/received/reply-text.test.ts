import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { replyTextOf } from "@/lib/received/read-received"
import { measured } from "@/e2e/support/measured"

const quoted = "> Hello Ada,\n> your order has left.\n>\n> Acme"

describe("what a person wrote in a reply", () => {
  test.each([
    ["Gmail", `Thank you!\n\nOn Fri, 27 Nov 2026 at 12:00, Acme <hello@acme.test> wrote:\n\n${quoted}\n`],
    [
      "Gmail with a broken line",
      `Thank you!\n\nOn Fri, 27 Nov 2026 at 12:00, Acme Customer Service\n<hello@acme.test> wrote:\n${quoted}`,
    ],
    ["Apple Mail in German", `Thank you!\n\n> Am 27.11.2026 um 12:00 schrieb Acme <hello@acme.test>:\n> \n> Hallo`],
    ["Thunderbird in German", `Thank you!\n\nAm 27.11.26 um 12:00 schrieb Acme:\n${quoted}`],
    ["French", `Thank you!\n\nLe ven. 27 nov. 2026 à 12:00, Acme <hello@acme.test> a écrit :\n\n${quoted}`],
    ["Spanish", `Thank you!\n\nEl vie, 27 nov 2026 a las 12:00, Acme (<hello@acme.test>) escribió:\n\n${quoted}`],
    [
      "Outlook",
      "Thank you!\n\nFrom: Acme <hello@acme.test>\nSent: Friday, 27 November 2026 12:00\nTo: Ada\nSubject: Order\n\nHello Ada",
    ],
    [
      "Outlook in German",
      "Thank you!\n\nVon: Acme <hello@acme.test>\nGesendet: Freitag\nAn: Ada\nBetreff: Order\n\nHallo",
    ],
    [
      "Outlook on the web",
      "Thank you!\n\n________________________________\nFrom: Acme <hello@acme.test>\nSent: Friday\nTo: Ada\nSubject: Order\n\nHello",
    ],
    ["Outlook in French", "Thank you!\n\nDe : Acme\nEnvoyé : vendredi\nÀ : Ada\nObjet : Order\n\nBonjour"],
    ["Outlook in Swedish", "Thank you!\n\nFrån: Acme\nSkickat: den 27 november\nTill: Ada\nÄmne: Order\n\nHej"],
    ["Outlook in Japanese", "Thank you!\n\n差出人: Acme\n送信日時: 2026年11月27日\n宛先: Ada\n件名: Order\n\nHello"],
    ["Gmail in Russian", `Thank you!\n\nпт, 27 нояб. 2026 г. в 12:00, Acme <hello@acme.test>:\n\n${quoted}`],
    ["Gmail in Japanese", `Thank you!\n\n2026年11月27日(金) 12:00 Acme <hello@acme.test>:\n\n${quoted}`],
    [
      "Gmail in Turkish",
      `Thank you!\n\nAcme <hello@acme.test>, 27 Kas 2026 Cum, 12:00 tarihinde\nşunu yazdı:\n\n${quoted}`,
    ],
    ["Gmail in Polish", `Thank you!\n\npt., 27 lis 2026 o 12:00 Acme <hello@acme.test> napisał(a):\n\n${quoted}`],
    ["a line of Outlook", "Thank you!\n\n-----Original Message-----\nFrom: Acme\n\nHello Ada"],
    ["no attribution", `Thank you!\n\n${quoted}\n`],
    [
      "an answer below the quotation",
      `On Fri, 27 Nov 2026 at 12:00, Acme <hello@acme.test> wrote:\n${quoted}\n\nThank you!\n`,
    ],
    ["no quotation", "Thank you!\n"],
  ])("%s: the quotation is cut", (_, text) => {
    expect(replyTextOf(text)).toBe("Thank you!")
  })

  test("answers between quoted lines keep them", () => {
    const text = "On Fri, 27 Nov 2026, Acme wrote:\n> Is it blue?\nYes.\n> Is it large?\nNo."
    expect(replyTextOf(text)).toBe(text)
  })

  test("text that only looks like an attribution stays", () => {
    const text = "On 3 May 2026 he wrote:\n\nI agree with that.\n\nFrom: is a field, and To: another."
    expect(replyTextOf(text)).toBe(text)
  })

  test("in text made of HTML, where quoted lines have no mark, all after the attribution is cut", () => {
    const text = "Thank you!\n\nOn Fri, 27 Nov 2026 at 12:00, Acme wrote:\n\nHello Ada,\nyour order has left."
    expect(replyTextOf(text, { marked: false })).toBe("Thank you!")
  })

  test("is made of lines of the mail in their order, is never empty unless the mail is, and never grows", () => {
    const line = fc.oneof(
      fc.string({ maxLength: 40 }),
      fc.constantFrom(
        "",
        "> x",
        ">",
        "On 1 May 2026 A wrote:",
        "-----Original Message-----",
        "From: A",
        "Sent: B",
        "To: C",
      ),
    )
    fc.assert(
      fc.property(fc.array(line, { maxLength: 30 }), fc.boolean(), (lines, marked) => {
        const text = lines.join("\n")
        const reply = replyTextOf(text, { marked })
        expect(reply.length).toBeLessThanOrEqual(text.length)
        expect(reply === "").toBe(text.trim() === "")
        const given = text.split("\n").map((one) => one.trim())
        let from = 0
        for (const one of reply.split("\n")) {
          const at = given.indexOf(one.trim(), from)
          expect(reply === "" || at >= 0, JSON.stringify({ text, one })).toBe(true)
          from = at + 1
        }
      }),
    )
  })

  test("of 1 MB of lines that nearly are attributions takes less than 10 times as long as of 200 kB", measured, () => {
    const near = ["On 1 May 2026 somebody", "wrote", "-----Original Message", "From: x", "> y", "Le 1 a ecrit"].join(
      "\n",
    )
    const time = (bytes: number) => {
      const text = `${near}\n`.repeat(bytes / near.length)
      const began = performance.now()
      replyTextOf(text)
      return performance.now() - began
    }
    time(200_000)
    expect(time(1_000_000)).toBeLessThan(10 * Math.max(time(200_000), 5))
  })
})

import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { z } from "zod"
import { measured } from "@/e2e/support/measured"
import { authenticationResults, readHeaders } from "@/lib/delivery/setup/header-reading"
import { HeaderReading, headerTextMax } from "@/lib/delivery/setup/header-schema"

const gmail = `Delivered-To: ada@gmail.com
Received: by 2002:a05:7010:1234:b0:3f1:aaaa:bbbb with SMTP id x12csp123;
        Fri, 27 Nov 2026 01:00:09 -0800 (PST)
ARC-Seal: i=1; a=rsa-sha256; t=1795770009; cv=none;
        d=google.com; s=arc-20240605;
        b=AbC==
ARC-Authentication-Results: i=1; mx.google.com;
       dkim=pass header.i=@mail.acme.example header.s=mailroom header.b=xYz;
       spf=pass (google.com: domain of postmaster@mail.acme.example designates 203.0.113.5 as permitted sender) smtp.mailfrom=postmaster@mail.acme.example;
       dmarc=pass (p=QUARANTINE sp=QUARANTINE dis=NONE) header.from=mail.acme.example
Return-Path: <postmaster@mail.acme.example>
Received: from out1.mail.acme.example (out1.mail.acme.example. [203.0.113.5])
        by mx.google.com with ESMTPS id d2e1a72fcca58-7a
        for <ada@gmail.com>
        (version=TLS1_3 cipher=TLS_AES_256_GCM_SHA384 bits=256/256);
        Fri, 27 Nov 2026 01:00:09 -0800 (PST)
Received-SPF: pass (google.com: domain of postmaster@mail.acme.example designates 203.0.113.5 as permitted sender) client-ip=203.0.113.5;
Authentication-Results: mx.google.com;
       dkim=pass header.i=@mail.acme.example header.s=mailroom header.b=xYz;
       spf=pass (google.com: domain of postmaster@mail.acme.example designates 203.0.113.5 as permitted sender) smtp.mailfrom=postmaster@mail.acme.example;
       dmarc=pass (p=QUARANTINE sp=QUARANTINE dis=NONE) header.from=mail.acme.example
Received: from localhost by out1.mail.acme.example with ESMTP id 1; Fri, 27 Nov 2026 09:00:02 +0000
DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=mail.acme.example; s=mailroom;
 h=from:to:subject; bh=abc=; b=xY
 z
From: Mailroom <postmaster@mail.acme.example>
To: ada@gmail.com
Subject: Test of the relay

This email shows that the relay takes email.
`

const outlook = `Received: from AM7EUR03FT035.eop-EUR03.prod.protection.outlook.com (2603:10a6::1) by DB1.outlook.office365.com
 (2603:10a6::2) with Microsoft SMTP Server (version=TLS1_3, cipher=TLS_AES_256_GCM_SHA384) id 15.20.1; Fri, 27 Nov 2026 09:00:09 +0000
Authentication-Results: spf=fail (sender IP is 203.0.113.9)
 smtp.mailfrom=mail.acme.example; dkim=pass (signature was verified)
 header.d=mail.acme.example;dmarc=pass action=none header.from=mail.acme.example;compauth=pass reason=100
Received-SPF: Fail (protection.outlook.com: domain of mail.acme.example does not designate 203.0.113.9 as permitted sender)
 receiver=protection.outlook.com; client-ip=203.0.113.9; helo=out1.mail.acme.example;
DKIM-Signature: v=1; d=mail.acme.example; s=mailroom; bh=a; b=b
From: postmaster@mail.acme.example
`

describe("headers of a received email", () => {
  test("as Gmail writes them: what passed, by whom, whose key, and the way with its seconds", () => {
    expect(readHeaders(gmail)).toEqual({
      code: "passes",
      server: "mx.google.com",
      from: "mail.acme.example",
      results: [
        { method: "dkim", result: "pass", aligned: true, domain: "mail.acme.example", selector: "mailroom" },
        {
          method: "spf",
          result: "pass",
          aligned: true,
          domain: "mail.acme.example",
          address: "203.0.113.5",
          reason: "google.com: domain of postmaster@mail.acme.example designates 203.0.113.5 as permitted sender",
        },
        {
          method: "dmarc",
          result: "pass",
          aligned: true,
          domain: "mail.acme.example",
          reason: "p=QUARANTINE sp=QUARANTINE dis=NONE",
        },
      ],
      signatures: [{ domain: "mail.acme.example", selector: "mailroom" }],
      hops: [
        {
          from: "localhost",
          by: "out1.mail.acme.example",
          protocol: "ESMTP",
          encrypted: false,
          at: new Date("2026-11-27T09:00:02Z"),
        },
        {
          from: "out1.mail.acme.example",
          by: "mx.google.com",
          protocol: "ESMTPS",
          encrypted: true,
          at: new Date("2026-11-27T09:00:09Z"),
          seconds: 7,
        },
        {
          by: "2002:a05:7010:1234:b0:3f1:aaaa:bbbb",
          protocol: "SMTP",
          encrypted: false,
          at: new Date("2026-11-27T09:00:09Z"),
          seconds: 0,
        },
      ],
    })
  })

  test("as Outlook.com writes them, without the name of the server", () => {
    const { code, server, results } = readHeaders(outlook.replaceAll("\n", "\r\n"))
    expect({ code, server }).toEqual({ code: "spf_not_allowed", server: undefined })
    expect(results.map(({ method, result, address }) => [method, result, address])).toEqual([
      ["spf", "fail", "203.0.113.9"],
      ["dkim", "pass", undefined],
      ["dmarc", "pass", undefined],
      ["compauth", "pass", undefined],
    ])
  })

  test("of a server whose clock is decades off", () => {
    const passed = (year: string) => `Received: from a by b with ESMTPS; 27 Nov ${year} 09:00:00 +0000`
    const { hops } = z.encode(HeaderReading, readHeaders(["2026", "1904", "99999"].map(passed).join("\n")))
    expect(hops.map(({ at, seconds }) => [at, seconds])).toEqual([
      [undefined, undefined],
      ["1904-11-27T09:00:00.000Z", undefined],
      ["2026-11-27T09:00:00.000Z", undefined],
    ])
  })

  const signed = "DKIM-Signature: v=1; d=acme.example; s=mailroom\nFrom: a@acme.example\n"
  const good =
    "dkim=pass header.d=acme.example; spf=pass smtp.mailfrom=v@send.acme.example; dmarc=pass header.from=acme.example"
  const judged = (results: string, rest = signed) => `Authentication-Results: mx.example; ${results}\n${rest}`

  test.each([
    ["passes", judged(good)],
    ["passes", judged(`dkim=fail header.d=relay.example; ${good}`)],
    ["dkim_missing", judged("dkim=none; spf=pass; dmarc=fail", "From: a@acme.example\n")],
    ["dkim_changed", judged(good.replace("dkim=pass", 'dkim=fail reason="body hash did not verify"'))],
    ["dkim_failed", judged(good.replace("dkim=pass", "dkim=fail (signature did not verify)"))],
    ["dkim_key", judged(good.replace("dkim=pass", "dkim=neutral (no key for signature)"))],
    ["dkim_other_domain", judged(good.replace("header.d=acme.example", "header.d=relay.example"))],
    ["dns_failed", judged(good.replace("dkim=pass", "dkim=temperror"))],
    ["spf_not_allowed", judged(good.replace("spf=pass", "spf=softfail"))],
    ["spf_missing", judged(good.replace("spf=pass", "spf=none"))],
    ["spf_invalid", judged(good.replace("spf=pass", "spf=permerror"))],
    ["dmarc_not_aligned", judged(good.replace("dmarc=pass", "dmarc=fail"))],
    ["dmarc_missing", judged(good.replace("dmarc=pass", "dmarc=none"))],
    ["dmarc_invalid", judged(good.replace("dmarc=pass", "dmarc=permerror"))],
    ["no_verdict", signed],
    ["no_headers", "Hello Ada,\n\nhow are you?"],
    ["no_verdict", `Authentication-Results: mx.example; none\n${signed}`],
    // What a server before the last one says proves nothing.
    [
      "spf_missing",
      judged(good.replace("spf=pass", "spf=none"), `Authentication-Results: forged.example; ${good}\n${signed}`),
    ],
    [
      "forwarded",
      judged(
        good.replace("spf=pass", "spf=fail"),
        `ARC-Seal: i=2; cv=pass; d=mx.example\nARC-Seal: i=1; cv=none; d=list.example\nARC-Authentication-Results: i=1; list.example; dmarc=pass header.from=acme.example\n${signed}`,
      ),
    ],
    ["spf_not_allowed", `Received-SPF: softfail (x: 192.0.2.1 is not allowed) client-ip=192.0.2.1;\n${signed}`],
  ])("are %s: %#", (code, text) => {
    expect(readHeaders(text).code).toBe(code)
  })

  test("of any kind are read within 1 s, and answer with bounded lists", measured, () => {
    const line = fc.oneof(
      fc.string({ maxLength: 200 }),
      fc.constantFrom(
        "Authentication-Results: ",
        "Received: from (((",
        'DKIM-Signature: "',
        "\n",
        " a=b;",
        "((",
        '"\\',
        ";;",
      ),
    )
    fc.assert(
      fc.property(fc.array(line, { maxLength: 200 }), (lines) => {
        const { results, hops, signatures } = readHeaders(lines.join(""))
        expect(Math.max(results.length, hops.length, signatures.length)).toBeLessThanOrEqual(50)
      }),
      { numRuns: 200 },
    )
    for (const text of ["(", '"', '\\"', "a=", ";", "a ", "from ", " (a)", "=;"]) {
      const value = text.repeat(headerTextMax / text.length)
      // The quickest of five: what else runs on the machine slows one of nine texts in every attempt of the whole test.
      let tookMs = Infinity
      for (let turn = 0; turn < 5 && tookMs >= 1_000; turn++) {
        const startedAt = performance.now()
        readHeaders(`Authentication-Results: ${value}`)
        readHeaders(`Received: ${value}`)
        readHeaders(`From: a@b.example\n${`Authentication-Results: x; ${text}\n`.repeat(9_000)}`)
        tookMs = Math.min(tookMs, performance.now() - startedAt)
      }
      expect(tookMs, `milliseconds for many times ${text}`).toBeLessThan(1_000)
    }
  })
})

describe("Authentication-Results", () => {
  const name = fc.stringMatching(/^[a-z][a-z0-9-]{0,12}$/)
  const comment = fc.stringMatching(/^[a-z0-9=; ]{0,20}$/).map((text) => ` (${text} (nested) \\) end) `)
  const space = fc.oneof(fc.constantFrom(" ", "  ", "\t"), comment)
  const value = fc.oneof(
    name.map((text) => ({ written: text, read: text })),
    fc.string({ maxLength: 20 }).map((text) => ({ written: `"${text.replaceAll(/["\\]/g, "\\$&")}"`, read: text })),
  )
  const property = fc.record({ type: fc.constantFrom("header", "smtp", "policy"), name, value })
  const result = fc.record({ method: name, result: name, properties: fc.array(property, { maxLength: 4 }) })

  test("give back what was written, however it is spaced, quoted and commented", () => {
    fc.assert(
      fc.property(
        name,
        fc.array(result, { maxLength: 6 }),
        fc.array(space, { minLength: 40, maxLength: 40 }),
        (server, results, gaps) => {
          let at = 0
          const gap = () => gaps[at++ % gaps.length]
          const written = results.map(({ method, result, properties }) => {
            const pairs = properties.map(
              (one) => `${gap()}${one.type}.${one.name}${gap()}=${gap()}${one.value.written}`,
            )
            return `;${gap()}${method}${gap()}=${gap()}${result}${pairs.join("")}`
          })
          const read = authenticationResults(`${gap()}${server}${gap()}1${written.join("")}`)
          expect(read.server).toBe(server)
          expect(read.results.map(({ method, result, properties }) => ({ method, result, properties }))).toEqual(
            results.map(({ method, result, properties }) => ({
              method,
              result,
              properties: new Map(properties.map((one) => [`${one.type}.${one.name}`, one.value.read])),
            })),
          )
        },
      ),
      { numRuns: 200 },
    )
  })
})

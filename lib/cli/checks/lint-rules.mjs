/** The rules of the house that no linter brings. Each refuses one mistake that was made, and says what to write instead. */

/** @param {object} node @param {string} object @param {string} property */
const isCallOf = ({ callee }, object, property) =>
  callee.type === "MemberExpression" && callee.object.name === object && callee.property.name === property

const named = /^(?!(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)$)[A-Z][A-Z0-9_]{2,}$/

const camelCaseConstants = {
  create: (context) => ({
    VariableDeclarator({ id }) {
      if (id.type === "Identifier" && named.test(id.name))
        context.report({ node: id, message: "Constants are camelCase like every other name." })
    },
  }),
}

const noLostTimeout = {
  create(context) {
    let depth = 0
    return {
      CallExpression(node) {
        if (depth > 0 && node.callee.type === "MemberExpression" && node.callee.property.name === "timeout")
          context.report({
            node,
            message: "Node 20 loses the timeout at the next garbage collection: use lib/platform/time.ts.",
          })
        if (isCallOf(node, "AbortSignal", "any")) depth += 1
      },
      "CallExpression:exit"(node) {
        if (isCallOf(node, "AbortSignal", "any")) depth -= 1
      },
    }
  },
}

/** A format takes milliseconds to make in a browser that has just opened the page, and a page writes some fifty dates. */
const noFormatMadeAnew = {
  create(context) {
    const message = "Call dateWords of components/ui/time-words.ts, which makes each format once."
    return {
      NewExpression(node) {
        if (node.callee.type === "MemberExpression" && node.callee.object.name === "Intl")
          context.report({ node, message })
      },
      CallExpression(node) {
        if (node.callee.type === "MemberExpression" && /^toLocale(Date|Time)String$/.test(node.callee.property.name))
          context.report({ node, message })
      },
    }
  },
}

export default {
  meta: { name: "mailroom" },
  rules: {
    "camel-case-constants": camelCaseConstants,
    "no-lost-timeout": noLostTimeout,
    "no-format-made-anew": noFormatMadeAnew,
  },
}
